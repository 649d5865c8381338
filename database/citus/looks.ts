import type { PollingOptions } from "../../base/jobs/polling.ts";
import type { Database } from "../database.ts";

/** A look asks each shard, so on Citus intervals are this many times as long. */
const TIMES = 4;
/** Shortest interval on Citus. */
const EVERY_MS_MIN = 4_000;
/** Looks take longer with more shards. They rest this many times as long, and run for a ninth of the time at most. */
const REST_TIMES = 8;

/**
 * Intervals of the looks for work in all workspaces. Most work does not wait for them, because the process that makes
 * it wakes the others. docs/guides/citus.md#looks
 * @param everyMs the interval on one PostgreSQL
 */
export function lookIntervals(
  { isCitus }: Pick<Database, "isCitus">,
  everyMs: number,
): Pick<PollingOptions, "everyMs" | "restTimes"> {
  return isCitus ? { everyMs: Math.max(EVERY_MS_MIN, TIMES * everyMs), restTimes: REST_TIMES } : { everyMs };
}
