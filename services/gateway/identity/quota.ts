import { ApiError } from "../../../base/contract/errors.ts";
import type { Decision } from "../../../base/contract/rate-windows.ts";
import type { RatePolicy } from "../../../config/env.ts";

/** Quotas of a user as answers show them. */
export interface Quotas {
  /**
   * The headers of every answer to a valid key. docs/guides/limits.md#headers
   * @param now in milliseconds since 1970
   */
  headers(decision: Decision, now: number): Record<string, string | number>;
  /**
   * The 429 of a request over a quota. docs/guides/limits.md#429
   * @param now in milliseconds since 1970
   */
  refusal(decision: Decision, now: number): ApiError;
}

/** Makes what is the same in all answers once, since a request has only some microseconds for its limits. */
export function createQuotas(limits: Record<string, RatePolicy>): Quotas {
  const policies = Object.entries(limits).map(([name, { quota, windowS }]) => {
    const suffix = name === "default" ? "" : "-Burst";
    return {
      name,
      quota,
      windowS,
      limit: `X-RateLimit-Limit${suffix}`,
      remaining: `X-RateLimit-Remaining${suffix}`,
      reset: `X-RateLimit-Reset${suffix}`,
      item: `"${name}";r=`,
    };
  });
  const policyField = policies.map(({ name, quota, windowS }) => `"${name}";q=${quota};w=${windowS}`).join(", ");

  function headers({ standings }: Decision, now: number): Record<string, string | number> {
    const found: Record<string, string | number> = { "RateLimit-Policy": policyField };
    let state = "";
    for (const [i, policy] of policies.entries()) {
      const { remaining = 0, resetMs = 0 } = standings[i] ?? {};
      found[policy.limit] = policy.quota;
      found[policy.remaining] = remaining;
      found[policy.reset] = Math.ceil((now + resetMs) / 1000);
      state += `${i === 0 ? "" : ", "}${policy.item}${remaining};t=${Math.ceil(resetMs / 1000)}`;
    }
    found.RateLimit = state;
    return found;
  }

  function refusal({ standings, exceeded, retryAfterMs }: Decision, now: number): ApiError {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    // The time of the exceeded policy is that of `Retry-After`, wherever it is shown.
    const states = policies.map(({ name, quota, windowS }, i) => ({
      policy: name,
      limit: quota,
      remaining: standings[i]?.remaining ?? 0,
      windowSeconds: windowS,
      retryAfter: new Date(now + (name === exceeded ? seconds * 1000 : (standings[i]?.resetMs ?? 0))).toISOString(),
    }));
    const over = states.find(({ policy }) => policy === exceeded);
    const details = { ...over, policies: states };
    const message = `More than ${over?.limit} requests in ${over?.windowSeconds} seconds. Try again in ${seconds} s.`;
    return new ApiError("TOO_MANY_REQUESTS", message, details, { "Retry-After": String(seconds) });
  }

  return { headers, refusal };
}
