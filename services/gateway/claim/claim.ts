import type { Claim } from "../../../base/contract/claim.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Input } from "../operation/input.ts";
import type { Operation } from "../operation/operation.ts";
import { deprecationsOf } from "../response/deprecations.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** Values of the installation that all claims hold. */
export interface Claiming {
  publicUrl: string;
  /** Time for which saved responses are kept. */
  idempotencyTtlS: number;
}

/** The claim of a write with an Idempotency-Key; undefined for everything else. docs/guides/idempotency.md#keys */
export function claimOf(
  { publicUrl, idempotencyTtlS }: Claiming,
  { id }: Exchange,
  operation: Operation,
  { params, fingerprint }: Input,
): Claim | undefined {
  const { key, route, query, body } = operation;
  if (key === undefined) return undefined;
  const deprecations = deprecationsOf(route, params.body);
  return {
    key,
    fingerprint: fingerprint ?? fingerprintOf(operation, query, body),
    requestId: id,
    publicUrl,
    ttlS: idempotencyTtlS,
    ...(deprecations !== undefined && { deprecations }),
  };
}
