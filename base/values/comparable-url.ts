import { comparable } from "./text.ts";

const SCHEME = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const HOST_END = /[/?#]/;

/**
 * The form in which two URLs are compared: without scheme, `www.`, fragment, and the slash at its end, and with the
 * host in lower case. Path, query and port stay as they are written. docs/guides/import-matching.md#matching
 */
export function comparableUrl(text: string): string {
  const { host, rest } = partsOf(text);
  return host + rest;
}

/**
 * True if a URL can be the profile of one person: it has a path or a query. The URL of a company is often a bare host.
 */
export function isProfileUrl(text: string): boolean {
  const { host, rest } = partsOf(text);
  return host.includes(".") && rest !== "";
}

/** The site of a URL, without `www.`. */
export function siteOf(text: string): string {
  return partsOf(text).host;
}

function partsOf(text: string): { host: string; rest: string } {
  const [whole = ""] = comparable(text.trim()).replace(SCHEME, "").split("#");
  const end = whole.search(HOST_END);
  const host = (end < 0 ? whole : whole.slice(0, end)).toLowerCase().replace(/^www\./, "");
  const rest = end < 0 ? "" : whole.slice(end);
  return { host, rest: rest.endsWith("/") ? rest.slice(0, -1) : rest };
}
