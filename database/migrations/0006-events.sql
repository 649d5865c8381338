-- Events tell what happened to records, notes and reminders. Each is written in the transaction of its cause, into the outbox.
-- From there one process at a time passes them on to `events`, in the order in which they were committed, and gives each its
-- position. Who reads `events` behind a position misses none: a transaction that commits late has its events passed on late,
-- with a higher position. docs/decisions/0013-events.md
create table outbox (
  -- In the order of writing. Whoever changes a record holds its lock until the commit, so of one record it is also the order of
  -- the commits.
  seq bigint generated always as identity,
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  -- The record, note or reminder.
  record_id uuid not null,
  -- What changed, and who may see it: `EventBody` in lib/events/event.ts.
  body json not null,
  primary key (seq)
);
-- Rows live for moments, so the table is vacuumed long before a fifth of it is dead. It keeps its empty pages, which are filled again
-- at once: giving them back would lock the table against all writers.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, vacuum_truncate = off);

create table events (
  workspace_id uuid not null,
  -- Counts the events of all workspaces.
  position bigint not null,
  id uuid not null,
  type text not null,
  record_id uuid not null,
  body json not null,
  published_at timestamptz(3) not null,
  primary key (workspace_id, position)
);
-- For what reads the events of all workspaces at once: the streams, and the purge.
create unique index events_position on events (position);
alter table events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- One row: whoever passes events on locks it.
create table event_log (
  one boolean primary key default true check (one),
  last_position bigint not null
);
insert into event_log (last_position) values (0);

-- A reminder that has fired is told by an event.
drop table reminder_triggers;
