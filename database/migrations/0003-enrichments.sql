-- An enrichment looks up what is publicly known about a person. Its row is also the job of those who work on it: a process that
-- dies leaves nothing behind but a row that is due again when its lease ends (services/interactions/enrichments/).

create table enrichments (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  -- The person. They may be deleted, and the row stays.
  entity_id uuid not null,
  -- The last name of a person who was deleted; null while they are there.
  entity_name text,
  status text not null check (status in ('pending', 'in_progress', 'completed', 'failed', 'cancelled')),
  added_fields text[],
  error_code text,
  error_message text,
  finished_at timestamptz(3),
  -- When somebody may take it to work on it: at once, after an attempt that failed when the next one is due, and while somebody
  -- works on it when their lease ends. Null when it has finished.
  due_at timestamptz default now(),
  -- Whoever works on it has this lease, and writes nothing once the row has another one.
  lease uuid,
  attempts smallint not null default 0,
  primary key (workspace_id, id),
  check ((finished_at is null) = (status in ('pending', 'in_progress'))),
  check ((finished_at is null) = (due_at is not null))
);
create index enrichments_entity on enrichments (workspace_id, entity_id, id);
create index enrichments_due on enrichments (due_at) where due_at is not null;

-- What a workspace has left, and what it has used, those included that are reserved for enrichments which have not finished. A
-- workspace without a row has used none (services/interactions/enrichments/credits.queries.ts).
create table credits (
  workspace_id uuid primary key,
  remaining integer not null check (remaining >= 0),
  used integer not null check (used >= 0)
);

-- Enrichments of a deleted person keep their name, and those that have not finished are cancelled and give their credit back. Those
-- of a merged person have been moved to the survivor by then.
create function enrichments_of_people_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
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
create trigger enrichments_of_people_gone after delete on people referencing old table as gone
  for each statement execute function enrichments_of_people_gone();
