-- Runs with: 0021-periods
-- No vacuum of the log for the sake of its new entries: engine/events/periods.ts has the reason, and makes new partitions so.
do $$
declare
  part text;
begin
  for part in
    select inhrelid::regclass from pg_inherits where inhparent in ('change_log'::regclass, 'log_texts'::regclass)
  loop
    execute format('alter table %s set (autovacuum_vacuum_insert_threshold = -1)', part);
  end loop;
end $$;
