import { firstUuidOf, type Uuid } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import {
  type Behind,
  behindOf,
  giveRoom,
  leaveBehind,
  nextBehind,
  type Reached,
  readBehind,
  writeReached,
} from "./behind.queries.ts";
import { createBudget } from "./budget.ts";
import { type FanOutMeans, fanOut } from "./fan-out.ts";
import { EVENTS_AT_ONCE, moveEvents, type QueuedEvent, readPublished, readQueued } from "./queued.ts";

/** Result of one run. */
export interface Run {
  /** Events that were passed on. */
  events: number;
  deliveries: number;
  hasMore: boolean;
}

export interface Publisher {
  /**
   * Does one thing in one transaction: passes events on from the outbox, or makes deliveries for webhooks that are
   * behind, which have every second turn while there is both. Nothing happens when there is neither, or when another
   * process does it at the moment. docs/decisions/0013-events.md
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

  /** Runs work while no other process publishes; it does not run while another one does. */
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
 * Passes events on from the outbox: gives all of them their positions, and makes deliveries until the budget is used
 * up. The webhooks of a workspace that has more to do than that are left behind, and so are those that have no room.
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

/**
 * Deliveries of a turn. It takes a tenth of a second then, and events that are written meanwhile wait no longer for it.
 */
const TURN_MAX = 1_000;
/** Each event of a workspace with many webhooks may fill a turn, so fewer are read, but not fewer than this. */
const EVENTS_MIN = 50;

const FIRST = firstUuidOf(0);

/** Turns of workspaces with webhooks that are behind. */
interface CatchingUp {
  /** True if a turn is worth its cost: not soon after a round in which no webhook had room. */
  mayHaveWork(): boolean;
  /**
   * Makes deliveries for the workspace whose turn it is, in the transaction of the query, which has locked the row of
   * `event_log`: so no event is published meanwhile, and a webhook that has reached the last one is not behind any
   * more. Gives how many were made.
   */
  turn(query: Query): Promise<number>;
}

/** @param restMs how long nothing is tried after a round in which no webhook had room */
function createCatchingUp(means: FanOutMeans, restMs: number): CatchingUp {
  let after = FIRST;
  let hasMoved = false;
  let restsUntil = 0;

  return {
    mayHaveWork: () => performance.now() >= restsUntil,
    async turn(query) {
      const workspaceId = await nextBehind(query, after);
      if (workspaceId === undefined) {
        if (!hasMoved) restsUntil = performance.now() + restMs;
        [after, hasMoved] = [FIRST, false];
        return 0;
      }
      after = workspaceId;
      const deliveries = await catchUp(query, means, workspaceId);
      hasMoved ||= deliveries !== null;
      return deliveries ?? 0;
    },
  };
}

/** Returns the number of created deliveries; null if no webhook has room. */
async function catchUp(query: Query, means: FanOutMeans, workspaceId: Uuid): Promise<number | null> {
  const behind = await readBehind(query, workspaceId, TURN_MAX, means.pendingMax ?? PENDING_DELIVERIES_MAX);
  if (behind.length === 0) return null;
  const open = new Map(behind.map((webhook) => [webhook.webhookId, { ...webhook }]));
  const from = Math.min(...behind.map(({ through }) => through));
  const most = Math.min(EVENTS_AT_ONCE, Math.max(EVENTS_MIN, Math.ceil(TURN_MAX / behind.length)));
  const { events, hasMore } = await readPublished(query, workspaceId, from, most);
  const budget = createBudget(TURN_MAX);
  /** The first event that is left for the next turn. */
  let rest: number | null = null;

  const { deliveries } = await fanOut(query, means, events, {
    mayBegin({ position }) {
      if (rest === null && !budget.has(workspaceId)) rest = position;
      return rest === null;
    },
    mayHave({ position }, webhookId) {
      const webhook = open.get(webhookId);
      if (!webhook || webhook.through >= position || webhook.room <= 0) return false;
      webhook.room -= 1;
      // A later turn takes those behind the last one that there is room for.
      if (webhook.room === 0) webhook.through = position;
      return true;
    },
    budget,
  });
  const looked = rest === null ? (events.at(-1)?.position ?? from) : rest - 1;
  const isEnd = rest === null && !hasMore;
  await writeReached(
    query,
    workspaceId,
    [...open.values()].map((webhook) => reachedBy(webhook, looked, isEnd)),
  );
  return deliveries;
}

function reachedBy({ webhookId, through, room }: Behind, looked: number, isEnd: boolean): Reached {
  if (room === 0) return { webhookId, through };
  return { webhookId, through: isEnd ? null : Math.max(through, looked) };
}
