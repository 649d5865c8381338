import type { Uuid } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { behindOf, giveRoom, leaveBehind } from "./behind.queries.ts";
import { createBudget } from "./budget.ts";
import { type FanOutMeans, fanOut } from "./fan-out.ts";
import { moveEvents, type QueuedEvent, readQueued } from "./queued.ts";

export interface PassedOn {
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
export async function passOn(query: Query, means: FanOutMeans, lastPosition: number): Promise<PassedOn> {
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
