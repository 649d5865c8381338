import type { Binder } from "../../../database/binder.ts";
import type { Row, Viewing } from "../../../model/resources/resource.ts";
import { filterIssues } from "../subscriptions/filters.ts";
import type { SubscribedEvent } from "../subscriptions/subscribed-events.ts";

/** SQL that is true for the webhooks that a caller sees and changes: their own, and all for an admin. docs/guides/webhooks.md#who-sees-what */
export function seesWebhook({ catalog, caller }: Viewing, bind: Binder): string {
  const isAdmin = catalog.users.get(caller.userId)?.role === "admin";
  return isAdmin ? "true" : `t.created_by = ${bind(caller.userId)}`;
}

/**
 * A webhook as a caller sees it. To an admin, filters of another user must not tell of groups that the admin does not
 * see.
 */
export function webhookSeenBy(webhook: Row, viewing: Viewing): Row {
  const isOwner = webhook.createdBy === viewing.caller.userId;
  return isOwner ? webhook : { ...webhook, subscribedEvents: entriesSeenBy(webhook, viewing) };
}

/**
 * The entries of a webhook that a caller sees or takes over: those that they could send themselves.
 * docs/guides/webhooks.md#who-sees-what
 */
export function entriesSeenBy({ subscribedEvents }: Row, viewing: Viewing): SubscribedEvent[] {
  return (subscribedEvents as SubscribedEvent[]).filter((entry) => filterIssues([entry], viewing).length === 0);
}
