import type { Uuid } from "../../../base/values/ids.ts";

/** Deliveries that one workspace gets in one transaction. The transaction takes a fifth of a second then. */
const OF_ONE_MAX = 2_000;
/** Deliveries that all workspaces together get in one transaction. */
const OF_ALL_MAX = 4_000;
/** Number of webhooks that cost as much as one delivery when their owners do not see the event. */
const FOUND_PER_DELIVERY = 5;

/** The work on deliveries that one transaction may do. An event that has begun gets all its deliveries. */
export interface Budget {
  /** Whether deliveries of one more event of the workspace may be made. */
  has(workspaceId: Uuid): boolean;
  /** Counts a webhook that was looked at for an event. */
  found(workspaceId: Uuid): void;
  /** Counts a delivery, for a webhook that was counted as found. */
  made(workspaceId: Uuid): void;
}

/** @param ofOneMax deliveries that one workspace gets */
export function createBudget(ofOneMax = OF_ONE_MAX): Budget {
  const spent = new Map<Uuid, number>();
  let spentByAll = 0;

  function spend(workspaceId: Uuid, cost: number): void {
    spent.set(workspaceId, (spent.get(workspaceId) ?? 0) + cost);
    spentByAll += cost;
  }

  return {
    has: (workspaceId) =>
      spentByAll < OF_ALL_MAX * FOUND_PER_DELIVERY && (spent.get(workspaceId) ?? 0) < ofOneMax * FOUND_PER_DELIVERY,
    found: (workspaceId) => spend(workspaceId, 1),
    made: (workspaceId) => spend(workspaceId, FOUND_PER_DELIVERY - 1),
  };
}
