-- When an admin took a webhook over last, and the entries of subscribed_events until then: {"at": timestamp, "subscribedEvents": [..]}.
-- By these the deliveries of the owner before were chosen, so they decide which of those the new owner gets and sees.
-- docs/guides/webhooks.md#who-sees-what
alter table webhooks add column taken_over json;
