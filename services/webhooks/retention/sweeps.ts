import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import { DAY_MS } from "../../../base/values/dates.ts";
import { DELIVERIES_KEPT_MS, EVENTS_KEPT_MS, MERGES_KEPT_MS } from "../../../config/limits.ts";
import type { Database } from "../../../database/database.ts";
import { anywhere, behindEach, inOrder, type Statement } from "./shapes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How rows of a table that are over are deleted. */
export interface Sweep extends Statement {
  /** Time for which rows are kept, in milliseconds by the clock of the database. */
  keptMs: number;
  /** Interval at which a process begins it; a minute unless told otherwise. */
  everyMs?: number;
  /** How many times as long as a statement it rests after it; nine unless told otherwise. */
  rest?: number;
}

/**
 * Deleting an event with its delivery costs half of what it costs to pass it on, so a sweep that rests half of the time
 * keeps up with a publisher that never does. With nine tenths of rest the tables grew on a busy machine
 * (docs/torture.md#the-last-run).
 */
const SHORT_REST = 1;

/** All that is kept for a time only. docs/guides/running.md#what-is-kept-how-long */
export const SWEEPS = {
  // A writer who takes a key anew waits for the statement that deletes it, so this one has few rows.
  "saved answers": {
    keptMs: 0,
    ...inOrder("idempotency_keys", { by: "expires_at", type: "timestamptz", over: "expires_at <= $2", batch: 250 }),
  },
  events: {
    keptMs: EVENTS_KEPT_MS,
    rest: SHORT_REST,
    ...inOrder("events", { by: "position", type: "bigint", over: "published_at < $2", batch: 1000 }),
  },
  deliveries: {
    keptMs: DELIVERIES_KEPT_MS,
    rest: SHORT_REST,
    ...behindEach("deliveries", {
      keys: ["workspace_id", "webhook_id"],
      over: "status <> 'pending' and created_at < $2",
      isGone: isGoneWebhookOf("walked"),
      batch: 1000,
    }),
  },
  // Each holds two whole records.
  "merged records": {
    keptMs: MERGES_KEPT_MS,
    everyMs: HOUR_MS,
    ...behindEach("merges", { keys: ["workspace_id"], over: "created_at < $2", batch: 100 }),
  },
  // Who deletes a webhook deletes its queue too; these were written beside the deletion of a whole workspace.
  "queues of webhooks that are gone": {
    keptMs: 0,
    ...anywhere("webhook_queues", { over: isGoneWebhookOf("t"), batch: 500 }),
  },
  // Kept for the longest window that RATE_LIMITS takes, since this process may have another one than those that count.
  "rate windows": {
    keptMs: DAY_MS,
    everyMs: HOUR_MS,
    ...anywhere("rate_windows", {
      over: "coalesce(stamps[cardinality(stamps)], 0) < (extract(epoch from $2::timestamptz) * 1000000)::bigint",
      batch: 500,
    }),
  },
  "places of streams": {
    keptMs: MINUTE_MS,
    ...anywhere("event_streams", { over: "until < $2", batch: 1000 }),
  },
} satisfies Record<string, Sweep>;

/**
 * Number of rows that a sweep has deleted. Several processes may do the same one at once: each passes over what another
 * one deletes.
 * @param before what is older is over, for as long as its sweep says
 * @param signal ends it after the statement that is running
 */
export function sweep(
  { queryAlone }: Pick<Database, "queryAlone">,
  { sql, first, rest }: Sweep,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  async function step(place: string): Promise<Step<string>> {
    const [done] = await queryAlone<Step<string>>(sql, [place, before]);
    return done ?? { count: 0, next: null };
  }
  return workInSteps(first, step, { rest, signal });
}

function isGoneWebhookOf(row: string): string {
  return `not exists (select from webhooks w where w.workspace_id = ${row}.workspace_id and w.id = ${row}.webhook_id)`;
}
