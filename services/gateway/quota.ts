import { ApiError } from "../../lib/errors.ts";

/** What the rate limiter answers (services/ratelimit). */
export interface Decision {
  standings: { name: string; quota: number; windowS: number; remaining: number; resetMs: number }[];
  exceeded: string | null;
  retryAfterMs: number;
}

/** The headers of every answer to a valid key; none when limits are off. gaps 2, "429". */
export function quotaHeaders(decision: Decision | null, now: number): Record<string, string | number> {
  if (!decision) return {};
  const headers: Record<string, string | number> = {};
  const policies: string[] = [];
  const states: string[] = [];
  for (const { name, quota, windowS, remaining, resetMs } of decision.standings) {
    const suffix = name === "default" ? "" : "-Burst";
    const seconds = Math.ceil(resetMs / 1000);
    headers[`X-RateLimit-Limit${suffix}`] = quota;
    headers[`X-RateLimit-Remaining${suffix}`] = remaining;
    headers[`X-RateLimit-Reset${suffix}`] = Math.ceil((now + resetMs) / 1000);
    policies.push(`"${name}";q=${quota};w=${windowS}`);
    states.push(`"${name}";r=${remaining};t=${seconds}`);
  }
  headers["RateLimit-Policy"] = policies.join(", ");
  headers.RateLimit = states.join(", ");
  return headers;
}

/** The 429 of a request over its quota. API document, "Errors", 429 details. */
export function refuseOverQuota(decision: Decision | null, now: number): void {
  if (!decision?.exceeded) return;
  const policies = decision.standings.map(({ name, quota, windowS, remaining, resetMs }) => ({
    policy: name,
    limit: quota,
    remaining,
    windowSeconds: windowS,
    retryAfter: new Date(now + resetMs).toISOString(),
  }));
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000));
  const exceeded = policies.find(({ policy }) => policy === decision.exceeded);
  const details = { ...exceeded, retryAfter: new Date(now + seconds * 1000).toISOString(), policies };
  const message = `More than ${exceeded?.limit} requests in ${exceeded?.windowSeconds} seconds. Try again in ${seconds} s.`;
  throw new ApiError("TOO_MANY_REQUESTS", message, details, { "Retry-After": String(seconds) });
}
