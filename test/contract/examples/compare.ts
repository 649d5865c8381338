import { NOBODYS_URL } from "contact-workspace-pages/document";

const EXAMPLE_TIME = "2026-03-01T09:30:00.000Z";
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const ID = new RegExp(`[a-z]+_${UUID}`, "g");

/** How long ago what an example tells of may have happened. */
const RECENT_MS = 120_000;

/** How long a window goes on to be full depends on when it was filled. */
const SOON = / Try again in \d+ s\.$/;

/** What is different each time: the name of the member → the form of its values. */
const FORMS: Record<string, RegExp> = {
  requestId: new RegExp(`^${UUID}$`),
  cursor: /^[\w-]+$/,
  etag: /^"[0-9a-f]{32}-\d+"$/,
  durationMs: /^\d+(\.\d)?$/,
  signingSecret: /^whsec_[A-Za-z0-9+/]{43}=$/,
  redactedSigningSecret: /^whsec_[A-Za-z0-9+/]{2}\*+[A-Za-z0-9+/]{3}=$/,
};

/** What texts of examples stand for on a server: an id for an id, and addresses. */
export interface Meanings {
  publicUrl: string;
  /** Id of an example → the id that it has stood for. */
  ids: Map<string, string>;
  /** Further texts of examples, and what they stand for. */
  texts: Record<string, string>;
}

/**
 * Where an answer is not what an example shows, a line each: the same members, entries and values, but for ids, which
 * have to stand for the same id everywhere, for the time at which something happened, and for what is different each
 * time.
 */
export function differencesOf(shown: unknown, answered: unknown, meanings: Meanings, at = "", name = ""): string[] {
  if (Array.isArray(shown) && Array.isArray(answered)) return differencesOfLists(shown, answered, meanings, at, name);
  if (isObject(shown) && isObject(answered)) return differencesOfObjects(shown, answered, meanings, at);
  const form = FORMS[name];
  if (form) return [shown, answered].every((value) => form.test(String(value))) ? [] : [differs(shown, answered, at)];
  if (typeof shown !== "string" || typeof answered !== "string")
    return Object.is(shown, answered) ? [] : [differs(shown, answered, at)];
  return isSameText(shown, answered, meanings) ? [] : [differs(shown, answered, at)];
}

function differencesOfLists(shown: unknown[], answered: unknown[], meanings: Meanings, at: string, name: string) {
  if (shown.length !== answered.length) return [differs(shown, answered, at)];
  return shown.flatMap((one, i) => differencesOf(one, answered[i], meanings, `${at}[${i}]`, name));
}

/** Members are compared in their order, because names of groups are ids, and mean what stands in the same place. */
function differencesOfObjects(
  shown: Record<string, unknown>,
  answered: Record<string, unknown>,
  meanings: Meanings,
  at: string,
): string[] {
  const names = Object.keys(answered);
  const [left, right] = [Object.keys(shown), names];
  if (left.length !== right.length || left.some((name, i) => !isSameText(name, right[i] ?? "", meanings)))
    return [differs(left, right, `${at} has other members:`)];
  return left.flatMap((name, i) =>
    differencesOf(shown[name], answered[right[i] ?? ""], meanings, `${at}.${name}`, name),
  );
}

function isSameText(shown: string, answered: string, { publicUrl, ids, texts }: Meanings): boolean {
  if (INSTANT.test(shown) && isRecent(shown, Date.parse(EXAMPLE_TIME)))
    return INSTANT.test(answered) && isRecent(answered, Date.now());
  const found = answered.match(ID) ?? [];
  const named = shown.match(ID) ?? [];
  if (named.length !== found.length || named.some((id, i) => !isSameId(id, found[i] ?? "", ids))) return false;
  const meant = named.reduce((text, id, i) => text.replace(id, found[i] ?? ""), shown);
  const replaced = Object.entries({ [NOBODYS_URL]: publicUrl, ...texts });
  const expected = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), meant);
  return expected.replace(SOON, "") === answered.replace(SOON, "");
}

function isRecent(instant: string, now: number): boolean {
  return Math.abs(now - Date.parse(instant)) < RECENT_MS;
}

/** An id that has not stood for anything yet stands for this one from now on, as long as no other does. */
function isSameId(shown: string, answered: string, ids: Map<string, string>): boolean {
  const known = ids.get(shown);
  if (known !== undefined) return known === answered;
  // An id that names nothing stands for itself, and a new one is of the same kind.
  const isNew = shown.split("_")[0] === answered.split("_")[0] && ![...ids.values()].includes(answered);
  if (isNew) ids.set(shown, answered);
  return isNew;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function differs(shown: unknown, answered: unknown, at: string): string {
  return `${at} shows ${JSON.stringify(shown)} and is ${JSON.stringify(answered)}`;
}
