import type { Uuid } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { behindOf, giveRoom, leaveBehind } from "./behind.queries.ts";
import { createBudget } from "./budget.ts";
import { createCatchingUp } from "./catch-up.ts";
import { type FanOutMeans, fanOut } from "./fan-out.ts";
import { moveEvents, type QueuedEvent, readQueued } from "./queued.ts";

/** Result of one run. */
export interface Run {
  /** Events that were passed on. */
  events: number;
  deliveries: number;
  /** Whether there may be more to do. */
  hasMore: boolean;
}

export interface Publisher {
  /**
   * Does one thing in one transaction: passes events on from the outbox, or makes deliveries for webhooks that are behind, which have
   * every second turn while there is both. Nothing happens when there is neither, or when another process does it at the moment.
   * docs/decisions/0013-events.md
   */
  publish(): Promise<Run>;
}

const NOTHING: Run = { events: 0, deliveries: 0, hasMore: false };
/** Time for which webhooks that are behind and have no room are not looked at. */
const BEHIND_REST_MS = 1_000;

interface Waiting {
  hasEvents: boolean;
  isBehind: boolean;
}

/** The parts that the publisher needs. */
export function createPublisher(
  database: Pick<Database, "read" | "transaction">,
  means: FanOutMeans,
  { behindRestMs = BEHIND_REST_MS } = {},
): Publisher {
  const catchingUp = createCatchingUp(means, behindRestMs);
  let isTurnOfBehind = false;

  async function publish(): Promise<Run> {
    const [waiting = { hasEvents: false, isBehind: false }] = await database.read<Waiting>(LOOK);
    const mayCatchUp = waiting.isBehind && catchingUp.mayHaveWork();
    if (mayCatchUp && (isTurnOfBehind || !waiting.hasEvents)) {
      isTurnOfBehind = false;
      return alone(async (query) => ({
        run: {
          events: 0,
          deliveries: await catchingUp.turn(query),
          hasMore: waiting.hasEvents || catchingUp.mayHaveWork(),
        },
      }));
    }
    if (!waiting.hasEvents) return NOTHING;
    isTurnOfBehind = true;
    return alone(async (query, lastPosition) => {
      const { last, ...passed } = await passOn(query, means, lastPosition);
      return { run: { ...passed, hasMore: passed.hasMore || mayCatchUp }, last };
    });
  }

  /** Runs work while no other process publishes; it is done nowhere when another one does. */
  function alone(
    work: (query: Query, lastPosition: number) => Promise<{ run: Run; last?: Promise<void> }>,
  ): Promise<Run> {
    return database.transaction(
      async (trx) => {
        const [log] = trx.opened[0] as { position: number }[];
        if (!log) return NOTHING;
        const { run: done, last } = await work((sql, values, form) => run(trx, sql, values, form), log.position);
        if (last) trx.last(last);
        return done;
      },
      { opening: [{ text: LOCK, values: [] }] },
    );
  }

  return { publish };
}

/** Most times there is nothing to do, at which every process looks each second. */
const LOOK = `/* background */ select exists (select from outbox) as "hasEvents",
  exists (select from webhook_queues where made_through is not null) as "isBehind"`;

const LOCK = "/* background */ select last_position::float8 as position from event_log for update skip locked";

interface PassedOn {
  events: number;
  deliveries: number;
  /** Whether others may wait in the outbox, or webhooks were left behind. */
  hasMore: boolean;
  /** The last statement. COMMIT may be sent behind it. */
  last?: Promise<void>;
}

/**
 * Passes events on from the outbox: gives all of them their positions, and makes deliveries until the budget is used up. The webhooks
 * of a workspace that has more to do than that are left behind, and so are those that have no room.
 * docs/decisions/0013-events.md#webhooks-that-are-behind
 * @param lastPosition the position of the last event that is published; its row is locked
 */
async function passOn(query: Query, means: FanOutMeans, lastPosition: number): Promise<PassedOn> {
  const { events, hasMore } = await readQueued(query, lastPosition);
  if (events.length === 0) return { events: 0, deliveries: 0, hasMore };
  const behind = await behindOf(query, workspacesWithBehind(events));
  const budget = createBudget();
  const left = new Map<Uuid, number>();

  function mayBegin({ workspaceId, position }: QueuedEvent): boolean {
    if (left.has(workspaceId)) return false;
    if (budget.has(workspaceId)) return true;
    left.set(workspaceId, position - 1);
    return false;
  }

  const { deliveries, full } = await fanOut(query, means, events, {
    mayBegin,
    mayHave: ({ workspaceId }, webhookId) => !behind.get(workspaceId)?.has(webhookId),
    budget,
  });
  const last = events.at(-1)?.position ?? lastPosition;
  await giveRoom(
    query,
    full.filter(({ workspaceId }) => !left.has(workspaceId)),
    last,
    means.pendingMax ?? PENDING_DELIVERIES_MAX,
  );
  await leaveBehind(query, left);
  return { events: events.length, deliveries, hasMore: hasMore || left.size > 0, last: moveEvents(query, events) };
}

function workspacesWithBehind(events: readonly QueuedEvent[]): Uuid[] {
  return [...new Set(events.filter(({ hasBehind }) => hasBehind).map(({ workspaceId }) => workspaceId))];
}
