/** What the generator is asked to send. */
export interface Order {
  port: number;
  ms: number;
  /** Connections at most. */
  connections: number;
  /**
   * Requests in a second, due at even times whatever comes of them; without it each connection sends the next after its
   * answer.
   */
  perSecond?: number;
}

/** Latencies of a kind of answers. */
export interface Latencies {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** How long an order took. */
export interface Took {
  ms: number;
  /** From the last request until all had their answers, where they were sent when due. */
  restMs: number;
  /** CPU time of the generator. */
  cpuMs: number;
}

/** What came of an order. */
export interface Sent extends Took {
  sent: number;
  /** Requests that were due while every connection was in use, or that the generator was too late for. */
  unsent: number;
  accepted: Latencies;
  /** 503. */
  refused: Latencies;
  /** Refusals without Retry-After. */
  silent: number;
  /** Answers that are neither 200 nor 503, by status. */
  others: Record<string, number>;
  /** Requests whose connection ended, by reason. */
  broken: Record<string, number>;
  /**
   * In the order of time, of the requests that were sent in it: how many, how many got 200, and the slowest of those.
   */
  slots: Slot[];
}

export interface Slot {
  sent: number;
  accepted: number;
  slowestMs: number;
}

export const SLOT_MS = 250;
