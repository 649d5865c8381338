import { createHash } from "node:crypto";
import { canonical } from "../operation/canonical.ts";
import type { Parameter } from "../operation/query-string.ts";
import type { Match } from "../operation/router.ts";

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
