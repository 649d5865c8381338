import { DELIVERIES } from "../../../engine/periods/periods.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import type { Row, Viewer } from "../../../model/resources/resource.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { entriesSeenBy } from "../../../model/resources/subscription-filters.ts";

/** The last takeover of a webhook by an admin. */
export interface TakenOver {
  at: string;
  /** The entries until then. */
  subscribedEvents: SubscribedEvent[];
}

/** Parts of a webhook that decide which deliveries each user gets. */
export interface Choosing {
  subscribedEvents: SubscribedEvent[];
  takenOver: TakenOver | null;
}

export function choosingOf({ subscribedEvents, takenOver }: Row): Choosing {
  return { subscribedEvents: subscribedEvents as SubscribedEvent[], takenOver: takenOver as TakenOver | null };
}

/** Whether a delivery was made before an admin took the webhook over from its owner. */
export function isOfEarlierOwner({ takenOver }: Pick<Choosing, "takenOver">, madeAt: Date): boolean {
  return takenOver !== null && madeAt <= new Date(takenOver.at);
}

/** The entries that must still ask for the event of a delivery. docs/guides/webhooks.md#who-sees-what */
export function entriesFor(webhook: Choosing, madeAt: Date): SubscribedEvent[] {
  const { subscribedEvents, takenOver } = webhook;
  return takenOver !== null && isOfEarlierOwner(webhook, madeAt) ? takenOver.subscribedEvents : subscribedEvents;
}

/**
 * Columns of a webhook whose owner the caller becomes. Entries that the caller does not see are dropped: no event meets
 * them by the caller's view, and an owner is shown all entries. A second takeover within the time for which deliveries
 * are kept leaves the older entries in place, so that deliveries of the first owner are still judged by them.
 * @param at the time of the database
 */
export function columnsOfTakeover(viewing: Viewer, current: Row, at: Date): OtherColumns {
  const { subscribedEvents: present, takenOver: before } = choosingOf(current);
  const isKept =
    before !== null && at.getTime() - new Date(before.at).getTime() < DELIVERIES.keptMs + DELIVERIES.periodMs;
  const subscribedEvents = isKept ? before.subscribedEvents : present;
  return {
    created_by: viewing.caller.userId,
    subscribed_events: JSON.stringify(entriesSeenBy(current, viewing)),
    taken_over: JSON.stringify({ at: at.toISOString(), subscribedEvents }),
  };
}
