-- Runs with: 0021-periods
-- One process at a time counts the requests of a user, in its memory: docs/decisions/0007-rate-limits.md. The row names it.
alter table rate_windows
  -- The session of the process that counts. Its session holds the advisory lock of this name. Null: no process counts.
  add column holder text,
  -- Number of further requests that the holder may admit before it writes again. The next holder counts them as admitted when
  -- this one has not given the row up.
  add column ahead integer not null default 0,
  -- The holder counts until then, in microseconds since 1970.
  add column held_until bigint not null default 0;

-- Processes of the release before still count here while processes are exchanged. So the function now takes the row away from
-- its holder, and counts what that one may have admitted. A later release drops the function.
create or replace function take_from_rate_windows(
  of_workspace uuid, of_user uuid, quotas integer[], windows bigint[], units integer, missed bigint[], asks boolean,
  clock timestamptz default null
) returns text language plpgsql
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
  held record;
begin
  loop
    select stamps, newest_units, holder, ahead, held_until into held from rate_windows
      where workspace_id = of_workspace and user_id = of_user for update;
    exit when found;
    insert into rate_windows values (of_workspace, of_user, '{}', units) on conflict do nothing;
  end loop;
  log := held.stamps;
  newest := held.newest_units;
  -- Read after the lock: requests that wait for each other have their times in the order of their decisions.
  at := extract(epoch from coalesce(clock, clock_timestamp())) * 1000000;
  if held.holder is not null then
    changed := true;
    if held.ahead > 0 then
      log := log || array_fill(greatest(least(at, held.held_until), log[cardinality(log)]), array[(held.ahead + units - 1) / units]);
      newest := units;
    end if;
  end if;
  size := cardinality(log);
  -- The clock was set back. It is unknown how much time has passed since the newest stamp, so the stamp is now.
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
    -- Number of the newest stamps that leave room for one more unit.
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
    update rate_windows set stamps = log[forgotten + 1:], newest_units = newest, holder = null, ahead = 0
      where workspace_id = of_workspace and user_id = of_user;
  end if;
  return refusing || ',' || wait || standings;
end $$;
