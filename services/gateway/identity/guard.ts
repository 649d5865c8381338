import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../../base/contract/errors.ts";
import { admit, type Log } from "../../../base/contract/rate-windows.ts";
import type { Env, RatePolicy } from "../../../config/env.ts";

/** Number of addresses that are remembered at once. The one whose last refusal is the oldest is forgotten first. */
const ADDRESSES_KEPT = 10_000;

/**
 * Gives a function that counts a request without a valid key, which is answered with 401. It makes the 429 in the place
 * of that when the address of the request has had too many of these; null otherwise. The request counts on no user's
 * quota, and requests with a valid key from the same address are served, because many people may share an address.
 * docs/guides/limits.md#without-a-valid-key
 */
export function keyGuard(
  { authFailures }: Pick<Env, "authFailures">,
  addressOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => ApiError | null {
  if (authFailures === "off") return () => null;
  const policies = [{ name: "address", ...authFailures }];
  const logs = new LRUCache<string, Log>({
    max: ADDRESSES_KEPT,
    ttl: authFailures.windowS * 1000,
    updateAgeOnGet: true,
  });
  return (request) => {
    const address = addressOf(request);
    const log = logs.get(address) ?? [];
    if (log.length === 0) logs.set(address, log);
    const { exceeded, retryAfterMs } = admit(log, policies, performance.now());
    return exceeded === null ? null : tooMany(authFailures, Math.ceil(retryAfterMs / 1000));
  };
}

function tooMany({ quota, windowS }: RatePolicy, seconds: number): ApiError {
  const message = `More than ${quota} requests without a valid API key came from this address in ${windowS} seconds. Send a valid key, or try again in ${seconds} s.`;
  return new ApiError("TOO_MANY_REQUESTS", message, undefined, { "Retry-After": String(seconds) });
}
