-- Open streams of events: a user has five at most, however many gateways there are. A stream holds one of five places of its user
-- for half a minute, and its gateway renews it: those of a gateway that was killed are free again by themselves. Places are worth
-- nothing after a crash of the database, so the table is not logged. docs/guides/event-feed.md#the-stream
create unlogged table event_streams (
  workspace_id uuid not null,
  user_id uuid not null,
  place int not null,
  -- The stream that has the place.
  id uuid not null,
  until timestamptz not null,
  primary key (workspace_id, user_id, place)
) with (fillfactor = 50);
alter table event_streams set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
