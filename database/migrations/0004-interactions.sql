-- Interactions happen between users and records: logged by hand with a person or a company, or imported, with all people
-- whose addresses were among the participants.
create table interactions (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  -- The id by which an imported one is known, that of its source. A logged one is known by its own id.
  source_id text,
  interaction_type text not null check (interaction_type in ('logged', 'email', 'calendar', 'whatsapp', 'call')),
  date_time timestamptz(3) not null,
  privacy_level text not null check (privacy_level in ('full', 'subjectOnly', 'sensitive', 'internal')),
  -- Of a logged one.
  activity_type text,
  title text,
  -- What lists show: the text of a logged one, JSON of an imported one.
  content text not null,
  -- What a single read shows besides: the body of a mail, the transcript of a call. JSON.
  more json,
  -- Of an imported one, {"from": participant, "to": [participant]} as they were imported.
  participants json,
  -- Whose it is: the user who logged it, or all users among the participants.
  user_ids uuid[] not null,
  primary key (workspace_id, id)
);
create unique index interactions_source on interactions (workspace_id, source_id) where source_id is not null;
create index interactions_time on interactions (workspace_id, date_time, id);

-- The records that an interaction is with, in their order, and what lists of a record look at.
create table interaction_entities (
  workspace_id uuid not null,
  interaction_id uuid not null,
  entity_id uuid not null,
  entity_kind text not null check (entity_kind in ('person', 'company')),
  position smallint not null,
  date_time timestamptz(3) not null,
  interaction_type text not null,
  user_ids uuid[] not null,
  primary key (workspace_id, interaction_id, entity_id)
);
create index interaction_entities_time on interaction_entities (workspace_id, entity_id, date_time, interaction_id);

-- How many interactions a person had, and when the last one was: with each user, and under the nil uuid with anybody. A write
-- never waits for these rows, because interactions stand in `interaction_uncounted` until they are counted here, some moments
-- later or when their time has come. Filters look here. docs/decisions/0012-interactions.md
create table interaction_counts (
  workspace_id uuid not null,
  entity_id uuid not null,
  user_id uuid not null,
  count integer not null,
  last_at timestamptz(3) not null,
  last_id uuid not null,
  -- Of the nil uuid: whose the last one is.
  last_by uuid[],
  primary key (workspace_id, entity_id, user_id)
) with (fillfactor = 80);
-- For filters, and finds the people with whom a user was in touch on a day.
create index interaction_counts_last on interaction_counts (workspace_id, user_id, last_at, entity_id);

create table interaction_uncounted (
  workspace_id uuid not null,
  entity_id uuid not null,
  interaction_id uuid not null,
  date_time timestamptz(3) not null,
  user_ids uuid[] not null,
  primary key (workspace_id, entity_id, interaction_id)
);
-- Tells readers of a workspace whether there is anything to add up.
create index interaction_uncounted_due on interaction_uncounted (workspace_id, date_time);
-- For the counting, which looks for what has come due in all workspaces at once.
create index interaction_uncounted_time on interaction_uncounted (date_time);
-- Rows live for moments, so the table is vacuumed long before a fifth of it is dead.
alter table interaction_uncounted set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The counts of a person as their record shows them, so that who reads a hundred people need not look for the counts of each
-- (lib/interactions/activity.ts). Null without any.
alter table people add column activity text;

-- The digits of telephone numbers, in whatever way they are written, by which an import finds people.
create function phone_digits(phones json) returns text[] language sql immutable parallel safe as $$
  select array_agg(regexp_replace(phone, '[^0-9]', '', 'g')) from json_array_elements_text(phones) phone
$$;
create index people_phone_digits on people using gin (workspace_id, phone_digits(phones)) where json_array_length(phones) > 0;

-- A person or a company takes its interactions along, but those that are with others too. The interactions are locked first, so
-- that of two records that go at the same time the second finds what the first has left.
create function interactions_of_records_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  ids uuid[];
begin
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
create trigger interactions_of_people_gone after delete on people referencing old table as gone
  for each statement execute function interactions_of_records_gone();
create trigger interactions_of_companies_gone after delete on companies referencing old table as gone
  for each statement execute function interactions_of_records_gone();
