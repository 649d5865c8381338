-- Runs with: 0021-periods
-- On Citus the locks by which readers of the log know what is settled are those of the coordinator, and the entries stand on workers.
-- When the coordinator crashes its locks are gone at once, while a worker may still be committing. So a coordinator that was repaired
-- says so in a table that PostgreSQL empties after a crash, and in a standby that becomes the primary. Nothing of the log is settled
-- before. docs/guides/citus.md#when-the-coordinator-crashes
create unlogged table coordinator_repairs (
  -- The table has one row at most.
  id boolean not null default true check (id),
  -- When somebody found the table empty: transactions of the time before the crash began earlier.
  noticed_at timestamptz not null,
  -- When none of them was left.
  repaired_at timestamptz,
  primary key (id)
);

create or replace function log_settled(of_workspaces uuid[]) returns table (workspace_id uuid, through bigint, last bigint)
language plpgsql as $$
declare
  newest bigint := coalesce(pg_sequence_last_value('change_log_seq'::regclass), 0);
  known bigint := newest;
begin
  if not exists (select from coordinator_repairs where repaired_at is not null) and exists (select from pg_extension where extname = 'citus') then
    known := 0;
  end if;
  -- A lock holds 32 bits of the number. One that seems to be ahead of the newest was taken since, so what it guards is newer.
  return query
  select w.id, least(known, min(case when held.distance < 2147483648 then newest - held.distance end)), newest
  from unnest(of_workspaces) w (id)
  left join (
    select l.classid::bigint as key, (newest - l.objid::bigint) & 4294967295 as distance
    from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.objsubid = 2
  ) held on held.key = ('x' || right(w.id::text, 8))::bit(32)::bigint
  group by w.id;
end
$$;
