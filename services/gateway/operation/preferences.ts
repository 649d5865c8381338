import type { IncomingMessage } from "node:http";
import { headerLines } from "../connection/head.ts";

/** A quoted text, which may hold commas, a comma, or what stands between these. */
const PART = /"(?:[^"\\]|\\.)*"?|,|[^",]+/g;

/**
 * Whether a request wants parameters that a list does not know to be refused: `Prefer: handling=strict`. Only the first instance
 * of a preference counts (RFC 7240, 2). docs/guides/conventions.md#query-parameters
 */
export function wantsStrict(request: IncomingMessage): boolean {
  for (const preference of preferencesOf(headerLines(request, "prefer").join(","))) {
    const [name = "", value = ""] = (preference.split(";", 1)[0] ?? "").split("=");
    if (name.trim().toLowerCase() === "handling") return value.replaceAll('"', "").trim().toLowerCase() === "strict";
  }
  return false;
}

function preferencesOf(header: string): string[] {
  const preferences = [""];
  for (const [part] of header.matchAll(PART)) {
    if (part === ",") preferences.push("");
    else preferences[preferences.length - 1] += part;
  }
  return preferences;
}
