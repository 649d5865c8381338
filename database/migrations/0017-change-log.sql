-- One log of all changes takes the place of `outbox`, `events` and `event_log`: each write appends one row for each thing that it
-- changes, in its own transaction, and no row is moved or numbered later. docs/decisions/0013-events.md
--
-- A row may make two events, so numbers go up by two: the second event has the odd one.
create sequence change_log_seq increment by 2;

create table change_log (
  workspace_id uuid not null,
  -- The place in the order of the workspace. It is drawn while the changed thing is locked, so that the order of one thing is that of
  -- the commits.
  seq bigint not null default nextval('change_log_seq'),
  -- The id of its event, a uuid v7: it also tells when the change was written.
  id uuid not null,
  -- The types of its events.
  type text not null,
  -- The record, note or reminder.
  record_id uuid not null,
  -- The user who did it, the API key and the request. Null in rows that nobody or a release before this migration has written.
  user_id uuid,
  key_id uuid,
  request_id uuid,
  source text not null,
  -- Content: the changed values before and after, and the users who may see them (`LogBody` in model/log.ts).
  body json not null,
  primary key (workspace_id, seq)
) partition by range (seq);
alter sequence change_log_seq owned by change_log.seq;

-- The log takes over rows that processes of the release before still write into `outbox` (engine/events/take-over.ts).
drop table event_log;

-- The number at which a webhook became active was one of the outbox. One that is behind is still to be sent the first event behind
-- its position that was written since, and those that come after it.
update webhooks w set since_seq = least(w.since_seq, (
    select e.position - 1 from events e
    where e.workspace_id = w.workspace_id and e.position > q.made_through and e.seq > w.since_seq order by e.position limit 1))
  from webhook_queues q where q.workspace_id = w.workspace_id and q.webhook_id = w.id and q.made_through is not null;

-- The table of published events is the first part of the log, as it stands. Its numbers are the positions that they had, so cursors
-- that clients hold stay valid.
alter table events rename to change_log_before;
alter table change_log_before rename constraint events_pkey to change_log_before_pkey;
drop index events_position;
alter table change_log_before drop column seq, drop column published_at;
alter table change_log_before rename column position to seq;
alter table change_log_before add column user_id uuid, add column key_id uuid, add column request_id uuid,
  add column source text not null default 'api';
alter table change_log_before alter column source drop default;

-- The log is divided into periods of 2^30 numbers. The sequence is set to the beginning of the next one once a week, so a period is
-- also a time, and what is too old is dropped with its period (engine/events/periods.ts).
do $$
declare
  size constant bigint := 1073741824;
  first bigint := greatest(
    (select max(seq) from change_log_before),
    pg_sequence_last_value(pg_get_serial_sequence('outbox', 'seq')::regclass),
    0) / size + 1;
begin
  execute format('alter table change_log attach partition change_log_before for values from (minvalue) to (%s)', first * size);
  for period in first .. first + 2 loop
    execute format('create table change_log_%s partition of change_log for values from (%s) to (%s)', period, period * size, (period + 1) * size);
  end loop;
  perform setval('change_log_seq', first * size);
  insert into settings (name, value) values ('change_log_periods', jsonb_build_object(first::text, now()));
end
$$;

-- The events that wait in the outbox. A webhook that became active after it was written is not sent it.
insert into change_log (workspace_id, id, type, record_id, source, body)
  select workspace_id, id, type, record_id, 'api', body from outbox o
  where exists (select from workspaces w where w.id = o.workspace_id) order by seq;
update webhooks w set since_seq = (select last_value from change_log_seq)
  where since_seq >= (select max(seq) from outbox o where o.workspace_id = w.workspace_id);
delete from outbox;

-- The number up to which a workspace that has, or once had, webhooks has its deliveries. The process that makes them locks the row.
create table webhook_progress (
  workspace_id uuid not null,
  through bigint not null,
  primary key (workspace_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
insert into webhook_progress (workspace_id, through)
  select id, (select last_value from change_log_seq) from workspaces where webhooks_version > 0;
update webhook_progress p set through = l.before from (
  select workspace_id, min(seq) - 1 as before from change_log
  where seq >= (select min(key::bigint) * 1073741824 from settings, jsonb_object_keys(value) key where name = 'change_log_periods')
  group by workspace_id) l
where l.workspace_id = p.workspace_id;

-- The name tells a process of the release before that it cannot send these: it would not know the events.
alter table deliveries rename column event_position to event_seq;

-- For each of these workspaces the number up to which a reader may read: each row of its log up to there is committed, or never will
-- be. A transaction that appends holds a lock that names the number before its own (engine/events/append.ts). The newest number is
-- read first, and the rows are to be read by a later statement.
create function log_settled(of_workspaces uuid[]) returns table (workspace_id uuid, through bigint, last bigint)
language plpgsql as $$
declare
  newest bigint := coalesce(pg_sequence_last_value('change_log_seq'::regclass), 0);
begin
  -- A lock holds 32 bits of the number. One that seems to be ahead of the newest was taken since, so what it guards is newer.
  return query
  select w.id, least(newest, min(case when held.distance < 2147483648 then newest - held.distance end)), newest
  from unnest(of_workspaces) w (id)
  left join (
    select l.classid::bigint as key, (newest - l.objid::bigint) & 4294967295 as distance
    from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.objsubid = 2
  ) held on held.key = ('x' || right(w.id::text, 8))::bit(32)::bigint
  group by w.id;
end
$$;
