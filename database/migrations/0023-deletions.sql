-- Runs with: 0021-periods
-- The code that deletes records and memberships deletes what goes with them itself (engine/records/gone-with.ts), because
-- triggers with transition tables do not work on distributed tables. Sessions of this release say so by a setting
-- (database/session.ts), and the triggers do nothing there. In all other sessions, those of the release before and of psql,
-- they act as before. A later release drops the triggers and these functions.

create or replace function about_records_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from notes b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from tasks b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  return null;
end $$;

create or replace function people_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from person_groups b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  delete from person_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from person_companies b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  return null;
end $$;

create or replace function companies_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from company_groups b using gone where b.workspace_id = gone.workspace_id and b.company_id = gone.id;
  delete from company_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  return null;
end $$;

create or replace function objects_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from object_groups b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from object_people b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_companies b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  return null;
end $$;

create or replace function person_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from person_values b using gone
    where b.workspace_id = gone.workspace_id and b.person_id = gone.person_id and b.group_id = gone.group_id;
  return null;
end $$;

create or replace function company_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from company_values b using gone
    where b.workspace_id = gone.workspace_id and b.company_id = gone.company_id and b.group_id = gone.group_id;
  return null;
end $$;

create or replace function object_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  delete from object_values b using gone
    where b.workspace_id = gone.workspace_id and b.object_id = gone.object_id and b.group_id = gone.group_id;
  return null;
end $$;

create or replace function interactions_of_records_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ids uuid[];
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  select array_agg(i.id) into ids from (
    select i.id from gone join interaction_entities e on e.workspace_id = gone.workspace_id and e.entity_id = gone.id
      join interactions i on i.workspace_id = e.workspace_id and i.id = e.interaction_id
    order by i.id for update of i) i;
  if ids is null then
    return null;
  end if;
  delete from interaction_uncounted b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interaction_counts b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interaction_entities b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  delete from interactions i where i.workspace_id = (select workspace_id from gone limit 1) and i.id = any(ids)
    and not exists (select from interaction_entities e where e.workspace_id = i.workspace_id and e.interaction_id = i.id);
  return null;
end $$;

create or replace function enrichments_of_people_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if current_setting('contact_workspace.takes_along', true) = 'on' then
    return null;
  end if;
  update enrichments e set entity_name = gone.full_name from gone
    where e.workspace_id = gone.workspace_id and e.entity_id = gone.id;
  with cancelled as (
    update enrichments e set status = 'cancelled', error_code = 'PERSON_DELETED',
      error_message = 'The person was deleted before the enrichment had finished.',
      finished_at = greatest(e.created_at, clock_timestamp()), due_at = null, lease = null
    from gone where e.workspace_id = gone.workspace_id and e.entity_id = gone.id and e.due_at is not null
    returning e.workspace_id
  )
  update credits c set remaining = c.remaining + freed.count, used = c.used - freed.count
    from (select workspace_id, count(*)::int as count from cancelled group by 1) freed
    where c.workspace_id = freed.workspace_id;
  return null;
end $$;
