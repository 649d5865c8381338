import { DELIVERIES_KEPT_MS } from "../../../config/limits.ts";
import type { Row, Viewing } from "../../../lib/resources/resource.ts";
import type { OtherColumns } from "../../../lib/resources/rows.ts";
import type { SubscribedEvent } from "../../../lib/webhooks/subscribed-events.ts";
import { entriesSeenBy } from "./webhooks.sight.ts";

/** What a webhook remembers of the admin who took it over last. */
export interface TakenOver {
  at: string;
  /** The entries until then. */
  subscribedEvents: SubscribedEvent[];
}

/** A webhook, as far as it matters which of its deliveries are for whom. */
export interface Choosing {
  subscribedEvents: SubscribedEvent[];
  takenOver: TakenOver | null;
}

export function choosingOf({ subscribedEvents, takenOver }: Row): Choosing {
  return { subscribedEvents: subscribedEvents as SubscribedEvent[], takenOver: takenOver as TakenOver | null };
}

/** Whether a delivery was made for an owner from whom an admin has taken the webhook over since. */
export function isOfEarlierOwner({ takenOver }: Pick<Choosing, "takenOver">, madeAt: Date): boolean {
  return takenOver !== null && madeAt <= new Date(takenOver.at);
}

/** The entries that have to ask for the event of a delivery still. docs/guides/webhooks.md#who-sees-what */
export function entriesFor(webhook: Choosing, madeAt: Date): SubscribedEvent[] {
  const { subscribedEvents, takenOver } = webhook;
  return takenOver !== null && isOfEarlierOwner(webhook, madeAt) ? takenOver.subscribedEvents : subscribedEvents;
}

/**
 * Columns of a webhook whose owner the caller becomes. The entries that the caller does not see go, since no event of theirs meets them,
 * and an owner is shown all entries. When a webhook is taken over once more while deliveries from before the first time are kept, the
 * oldest entries decide on: no later owner learns more by them.
 * @param at the time of the database
 */
export function columnsOfTakeover(viewing: Viewing, current: Row, at: Date): OtherColumns {
  const { subscribedEvents: present, takenOver: before } = choosingOf(current);
  const isKept = before !== null && at.getTime() - new Date(before.at).getTime() < DELIVERIES_KEPT_MS;
  const subscribedEvents = isKept ? before.subscribedEvents : present;
  return {
    created_by: viewing.caller.userId,
    subscribed_events: JSON.stringify(entriesSeenBy(current, viewing)),
    taken_over: JSON.stringify({ at: at.toISOString(), subscribedEvents }),
  };
}
