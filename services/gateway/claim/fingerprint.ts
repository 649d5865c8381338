import { createHash } from "node:crypto";
import type { Parameter } from "../../../base/contract/query-string.ts";
import { canonical } from "../operation/canonical.ts";
import type { Match } from "../operation/router.ts";

/**
 * A hash of a request, which differs from that of another request with the same Idempotency-Key. The order of JSON
 * members and of parameters does not count, that of repeated values does, and numbers of equal value are the same. All
 * versions that are served are one, so the version is no part of it.
 * docs/guides/idempotency.md#what-makes-two-requests-the-same
 */
export function fingerprintOf(
  { route, path }: { route: Pick<Match["route"], "method" | "path">; path: Match["path"] },
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
