-- Notes, tasks and interactions are about a record, their entity: a person, a company or an object. They have its kind and its
-- uuid, and no foreign key: whoever writes one has locked the record against deletion (lib/records/lock-entity.ts), and a
-- trigger deletes them with it.

create table notes (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  entity_kind text not null check (entity_kind in ('person', 'company', 'object')),
  entity_id uuid not null,
  -- The note to which this one replies. It stays when that one is deleted.
  parent_id uuid,
  visibility text not null check (visibility in ('public', 'private')),
  content text not null,
  -- The words of the content, found by the server, because PostgreSQL's parsers follow the locale of the database and know
  -- neither scripts without blanks nor emoji (lib/values/words.ts).
  search tsvector not null,
  primary key (workspace_id, id)
);
create index notes_entity on notes (workspace_id, entity_id, id);
create index notes_search on notes using gin (workspace_id, search);

-- Notes with these words, in no order and no more than so many. PostgreSQL takes the beginning of a word for one in two hundred notes
-- at least, whatever it is. To find a page of a rare word it would walk through all notes, so this looks into the index of words.
create function notes_with_words(in_workspace uuid, words tsquery, most integer) returns setof uuid language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
begin
  return query select id from notes where workspace_id = in_workspace and search @@ words limit most;
end $$;

-- What is about a record goes with it, as what belongs to it does (0001-tables/14-what-goes-with-what.sql), and is found in the
-- same way: each record in the indexes.
create function about_records_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from notes b using gone where b.workspace_id = gone.workspace_id and b.entity_id = gone.id;
  return null;
end $$;
create trigger about_people_gone after delete on people referencing old table as gone
  for each statement execute function about_records_gone();
create trigger about_companies_gone after delete on companies referencing old table as gone
  for each statement execute function about_records_gone();
create trigger about_objects_gone after delete on objects referencing old table as gone
  for each statement execute function about_records_gone();
