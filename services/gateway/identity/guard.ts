import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Env, RatePolicy } from "../../../config/env.ts";
import { ApiError } from "../../../lib/contract/errors.ts";
import { admit, type Log } from "../../../lib/rate-limits/windows.ts";
import { addressReader } from "./address.ts";
import { unauthorized } from "./api-key.ts";

/** Addresses that are remembered at once; the one whose last refusal is oldest goes first. */
const ADDRESSES_KEPT = 10_000;

/**
 * Gives what a request without a valid key is answered with: 401, or 429 when its address has had too many of those. No
 * user's quota is touched, and valid keys from the same address go on working: many people may share it. gaps 2, "429".
 */
export function keyGuard({ authFailures, trustedProxies }: Pick<Env, "authFailures" | "trustedProxies">) {
  if (authFailures === "off") return unauthorized;
  const policies = [{ name: "address", ...authFailures }];
  const logs = new LRUCache<string, Log>({
    max: ADDRESSES_KEPT,
    ttl: authFailures.windowS * 1000,
    updateAgeOnGet: true,
  });
  const addressOf = addressReader(trustedProxies);
  return (request: IncomingMessage): ApiError => {
    const address = addressOf(request);
    const log = logs.get(address) ?? [];
    if (log.length === 0) logs.set(address, log);
    const { exceeded, retryAfterMs } = admit(log, policies, performance.now());
    return exceeded === null ? unauthorized() : tooMany(authFailures, Math.ceil(retryAfterMs / 1000));
  };
}

function tooMany({ quota, windowS }: RatePolicy, seconds: number): ApiError {
  const message = `More than ${quota} requests without a valid API key came from this address in ${windowS} seconds. Send a valid key, or try again in ${seconds} s.`;
  return new ApiError("TOO_MANY_REQUESTS", message, undefined, { "Retry-After": String(seconds) });
}
