import { type Database, run } from "../../../lib/database/database.ts";
import type { Query } from "../../../lib/database/query.ts";
import { type FanOutMeans, fanOut } from "./fan-out.ts";
import { moveEvents, readQueued } from "./queued.ts";

/** What one run has passed on. */
export interface Run {
  events: number;
  deliveries: number;
  /** Whether there may be more to pass on. */
  hasMore: boolean;
}

export interface Publisher {
  /**
   * Passes events on from the outbox, in one transaction: gives them their positions, and writes the deliveries of the webhooks that
   * want them. Nothing happens when the outbox is empty, or when another process does it at the moment.
   * docs/decisions/0013-events.md
   */
  publish(): Promise<Run>;
}

const NOTHING: Run = { events: 0, deliveries: 0, hasMore: false };

/** What a process needs to pass events on. */
export function createPublisher(database: Pick<Database, "read" | "transaction">, means: FanOutMeans): Publisher {
  async function publish(): Promise<Run> {
    const waiting = await database.read(LOOK);
    if (waiting.length === 0) return NOTHING;
    return database.transaction(
      async (trx) => {
        const [log] = trx.opened[0] as { position: number }[];
        if (!log) return NOTHING;
        const query: Query = (sql, values, form) => run(trx, sql, values, form);
        const { events, hasMore } = await readQueued(query, log.position);
        if (events.length === 0) return NOTHING;
        const fannedOut = await fanOut(query, means, events);
        const passed = events.slice(0, fannedOut.events);
        trx.last(moveEvents(query, passed));
        return { ...fannedOut, hasMore: hasMore || passed.length < events.length };
      },
      { opening: [{ text: LOCK, values: [] }] },
    );
  }

  return { publish };
}

/** Most times the outbox is empty, at which every process looks each second. */
const LOOK = "/* background */ select from outbox limit 1";

const LOCK = "/* background */ select last_position::float8 as position from event_log for update skip locked";
