-- Events are passed on for all workspaces together, and deliveries are made of them workspace by workspace, in turns. A webhook that has
-- to wait for its turn, or for the deliveries that it has, is behind. docs/decisions/0013-events.md#webhooks-that-are-behind

-- The number that the event had in the outbox. It is compared with `webhooks.since_seq` when the deliveries are made later. Null for
-- events that were published before this migration: their deliveries are made.
alter table events add column seq bigint;

alter table webhook_queues
  -- Null when the webhook has deliveries of all published events that it wants. Else the deliveries of events behind this position are
  -- still to be made.
  add column made_through bigint,
  -- Number of deliveries that may be made before those that wait are counted again.
  add column room int not null default 0;
create index webhook_queues_behind on webhook_queues (workspace_id) where made_through is not null;
