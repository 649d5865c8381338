-- The last takeover of a webhook by an admin, as {"at", "subscribedEvents"}: the entries of subscribed_events until then.
-- These entries chose the deliveries of the earlier owner, so they decide which of those the new owner gets and sees.
-- docs/guides/webhooks.md#who-sees-what
alter table webhooks add column taken_over json;
