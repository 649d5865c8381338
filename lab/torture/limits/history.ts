/** A quota of requests in a sliding window. */
export interface Policy {
  name: string;
  quota: number;
  windowS: number;
}

/**
 * Behaviour of the clients of a user. flood: many at once, whatever the answers. patient: one request at a time, and
 * after a 429 nothing until its Retry-After is over. reader: one at a time, and never when the headers say that nothing
 * remains. steady: evenly, just below the quota.
 */
export type Manner = "flood" | "patient" | "reader" | "steady";

export interface User {
  name: string;
  manner: Manner;
  keys: string[];
}

/** A request and what came. Times by `now`. */
export interface Asked {
  user: string;
  gateway: number;
  sentAt: number;
  answeredAt: number;
  /** 0 when no whole answer came. */
  status: number;
  retryAfterS?: number;
  error?: string;
}

/** A restart that was announced, and when `/readyz` of every gateway was 200 again. */
export interface Restart {
  what: string;
  at: number;
  recoveredAt: number;
}

export interface History {
  asked: Asked[];
  restarts: Restart[];
}

/**
 * Whether a request took one of its user's quota. Without an answer, or with a 5xx, nobody outside can know; a
 * connection that was refused brought nothing.
 */
export function admission({ status, error }: Asked): "admitted" | "refused" | "unknown" | "never arrived" {
  if (error === "ECONNREFUSED") return "never arrived";
  if (status === 0 || status >= 500) return "unknown";
  return status === 429 ? "refused" : "admitted";
}
