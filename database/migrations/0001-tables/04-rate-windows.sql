-- The admitted requests of each user: docs/decisions/0007-rate-limits.md. Several processes count in this table. One that
-- runs alone counts in memory, and keeps its counts here between its stop and its next start.
--
-- Stamps are microseconds since 1970 by the clock of the database, in ascending order. A stamp stands for as many
-- requests as the `units` that the function below is given (one, unless the quotas are in the thousands), the newest
-- stamp for `newest_units`.
--
-- The table is unlogged, so that no request waits for a disk; a crash of the database forgets the rows.
-- Rows of up to a page keep their stamps with them. By default PostgreSQL would move a log of 600 stamps into another
-- table, and write it there anew for each request.
create unlogged table rate_windows (
  workspace_id uuid not null,
  user_id uuid not null,
  stamps bigint[] not null,
  newest_units integer not null,
  primary key (workspace_id, user_id)
) with (fillfactor = 50, toast_tuple_target = 8160);
alter table rate_windows alter column stamps set storage external;

-- Counts one request of a user under every policy, or under none when one of them refuses it. A policy is a quota and
-- its window in microseconds. `missed` are the ages of stamps that the log lacks, since the process that counted them
-- could not reach the table at that time. With `asks` false these are added to the log, and no request is counted.
--
-- Gives, separated by commas: the number of the policy that refuses (0 for none), the time until it would admit, and
-- for each policy the units that are counted and the time until the oldest of them leaves the window.
create function take_from_rate_windows(
  of_workspace uuid, of_user uuid, quotas integer[], windows bigint[], units integer, missed bigint[], asks boolean,
  clock timestamptz default null
) returns text language plpgsql
-- What the process sends after this statement, on the same connection, waits for it. When the lock takes longer, the
-- process goes on without the table.
set lock_timeout = '250ms'
as $$
declare
  log bigint[];
  newest integer;
  size integer;
  at bigint;
  kept integer;
  outdated integer;
  forgotten integer;
  refusing integer := 0;
  wait bigint := 0;
  changed boolean := false;
  standings text := '';
begin
  loop
    select stamps, newest_units into log, newest from rate_windows
      where workspace_id = of_workspace and user_id = of_user for update;
    exit when found;
    insert into rate_windows values (of_workspace, of_user, '{}', units) on conflict do nothing;
  end loop;
  -- Read after the lock: requests that wait for each other have their times in the order of their decisions.
  at := extract(epoch from coalesce(clock, clock_timestamp())) * 1000000;
  size := cardinality(log);
  -- The clock was set back. The time since the newest stamp is unknown, so none has passed; nobody waits for the hour to return.
  if log[size] > at then
    log := array(select stamp - (log[size] - at) from unnest(log) stamp);
    changed := true;
  end if;
  if cardinality(missed) > 0 then
    log := array(select stamp from unnest(log || array(select at - age from unnest(missed) age)) stamp order by stamp);
    size := cardinality(log);
    newest := units;
    changed := true;
  end if;

  for i in 1 .. cardinality(quotas) loop
    -- So many of the newest stamps leave room for one more unit.
    kept := (quotas[i] - 1 + units - newest) / units;
    if size > kept and log[size - kept] + windows[i] - at > wait then
      wait := log[size - kept] + windows[i] - at;
      refusing := i;
    end if;
  end loop;
  if asks and refusing = 0 then
    changed := true;
    if newest < units then
      log := log[:size - 1] || at;
      newest := newest + 1;
    else
      log := log || at;
      size := size + 1;
      newest := 1;
    end if;
  end if;

  for i in 1 .. cardinality(quotas) loop
    -- The number of stamps up to the beginning of the window, by binary search.
    outdated := width_bucket(at - windows[i], log);
    forgotten := least(forgotten, outdated);
    standings := standings || ',' || greatest(0, (size - outdated - 1) * units + newest)
      || ',' || coalesce(log[outdated + 1] + windows[i] - at, 0);
  end loop;
  if changed then
    update rate_windows set stamps = log[forgotten + 1:], newest_units = newest
      where workspace_id = of_workspace and user_id = of_user;
  end if;
  return refusing || ',' || wait || standings;
end $$;
