import { createHash } from "node:crypto";
import { scientific } from "../../lib/decimal.ts";
import { EXACT_NUMBER_MARK, isExactNumber } from "../../lib/issues.ts";
import type { Parameter } from "./query-string.ts";
import type { Match } from "./router.ts";

/**
 * What a request is, as a hash: the order of JSON keys and of parameters does not count, that of repeated values does, and
 * numbers of equal value are the same. There is one version, whatever it is called, so none is part of it.
 * API document, "Idempotency", rule 5; gaps 2.
 */
export function fingerprintOf(
  { route, path }: Match,
  query: Pick<Parameter, "name" | "value">[],
  body: unknown,
): string {
  const parameters = query
    .map(({ name, value }) => [name, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return createHash("sha256")
    .update(canonical([route.method, route.path, path, parameters, body]))
    .digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(",")}}`;
  }
  if (typeof value === "number") return scientific(String(value));
  if (typeof value === "string" && isExactNumber(value)) return scientific(value.slice(EXACT_NUMBER_MARK.length));
  return JSON.stringify(value);
}
