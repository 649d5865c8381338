import { firstUuidOf, type Uuid } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { type Behind, nextBehind, type Reached, readBehind, writeReached } from "./behind.queries.ts";
import { createBudget } from "./budget.ts";
import { type FanOutMeans, fanOut } from "./fan-out.ts";
import { EVENTS_AT_ONCE, readPublished } from "./queued.ts";

/** Deliveries of a turn. It takes a tenth of a second then, and events that are written meanwhile wait no longer for it. */
const TURN_MAX = 1_000;
/** Each event of a workspace with many webhooks may fill a turn, so fewer are read, but not fewer than this. */
const EVENTS_MIN = 50;

const FIRST = firstUuidOf(0);

/** Turns of workspaces with webhooks that are behind. */
export interface CatchingUp {
  /** Whether a turn may be worth its cost: not soon after a round in which no webhook had room. */
  mayHaveWork(): boolean;
  /**
   * Makes deliveries for the workspace whose turn it is, in the transaction of the query, which has locked the row of `event_log`: so no
   * event is published meanwhile, and a webhook that has reached the last one is not behind any more. Gives how many were made.
   */
  turn(query: Query): Promise<number>;
}

/** @param restMs how long nothing is tried after a round in which no webhook had room */
export function createCatchingUp(means: FanOutMeans, restMs: number): CatchingUp {
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

/** Gives how many deliveries were made; null when no webhook has room. */
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
