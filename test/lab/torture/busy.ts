/**
 * Bounds for the small versions of the torture programs, which run beside other tests. They leave time for a busy
 * machine; the programs judge by what is promised.
 */
export const BUSY = { firstMs: 5_000, requestMs: 30_000, probeMs: 30_000, wholeMs: 90_000, repeatsMs: 60_000 };

/** Any number of requests may fail: a busy machine refuses some as too many. */
export const ANY_MAY_FAIL = { first: 1, meanwhile: 1, after: 1 };
