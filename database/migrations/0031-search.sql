-- Runs with: 0021-periods
-- A search over everything finds records, custom texts, notes and tasks by their words (docs/decisions/0025-search.md). The server makes
-- the words; of rows without any it makes them in the background, which is how older rows get theirs.
alter table person_search add words tsvector;
alter table company_search add words tsvector;
alter table object_search add words tsvector;
alter table person_values add words tsvector;
alter table company_values add words tsvector;
alter table object_values add words tsvector;
alter table notes add words tsvector;
alter table tasks add words tsvector;

create index person_search_words on person_search using gin (words) with (gin_pending_list_limit = 64);
create index company_search_words on company_search using gin (words) with (gin_pending_list_limit = 64);
create index object_search_words on object_search using gin (words) with (gin_pending_list_limit = 64);
create index person_values_words on person_values using gin (words) with (gin_pending_list_limit = 64);
create index company_values_words on company_values using gin (words) with (gin_pending_list_limit = 64);
create index object_values_words on object_values using gin (words) with (gin_pending_list_limit = 64);
create index notes_words on notes using gin (words) with (gin_pending_list_limit = 64);
create index tasks_words on tasks using gin (words) with (gin_pending_list_limit = 64);

-- The rows that wait for their words.
create index person_search_wordless on person_search (workspace_id, id) where words is null;
create index company_search_wordless on company_search (workspace_id, id) where words is null;
create index object_search_wordless on object_search (workspace_id, id) where words is null;
create index person_values_wordless on person_values (workspace_id, person_id) where words is null and folded_text is not null;
create index company_values_wordless on company_values (workspace_id, company_id) where words is null and folded_text is not null;
create index object_values_wordless on object_values (workspace_id, object_id) where words is null and folded_text is not null;
create index notes_wordless on notes (workspace_id, id) where words is null;
create index tasks_wordless on tasks (workspace_id, id) where words is null;

-- Processes of the release before do not know the words of a text that they change, so these are made anew. Sessions of this release have
-- the setting, and write both. A later release drops the triggers.
create function forget_words() returns trigger language plpgsql as $$
begin
  new.words := null;
  return new;
end $$;
create trigger forget_words before update of folded_texts, folded_lists on person_search for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function forget_words();
create trigger forget_words before update of folded_texts, folded_lists on company_search for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function forget_words();
create trigger forget_words before update of folded_texts, folded_lists on object_search for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function forget_words();
create trigger forget_words before update of content on notes for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function forget_words();
create trigger forget_words before update of title, description on tasks for each row
  when (current_setting('contact_workspace.takes_along', true) is distinct from 'on') execute function forget_words();

-- Rows of a table with words, by the index of words alone: the first of them. PostgreSQL would rather pass over a whole table or its
-- workspace, where it thinks that many rows have the words. So it does not see them when it plans.
create function rows_with_words(in_table text, in_column text, in_workspace uuid, in_words tsquery, in_most integer) returns setof uuid
  language plpgsql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
begin
  return query execute format('select %I from %I where workspace_id = $1 and words @@ (select $2) limit $3', in_column, in_table)
    using in_workspace, in_words, in_most;
end $$;

-- The places of those of some words that rows of a table have. PostgreSQL would compare each word with all rows of a small workspace, so
-- the condition on the workspace is one that no index answers. Citus finds the shard by it, and needs the usual one.
create function words_in_rows(in_table text, in_workspace uuid, in_words text[]) returns setof bigint
  language plpgsql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set enable_hashjoin = off
  set enable_mergejoin = off as $$
begin
  return query execute format('select place from unnest($2) with ordinality w (word, place)
      where exists (select from %I where workspace_id %s $1 and words @@ word::tsquery)', in_table,
      case when to_regclass('pg_catalog.pg_dist_node') is null then 'is not distinct from' else '=' end)
    using in_workspace, in_words;
end $$;

-- The lexemes with some beginnings in the first rows of a table that have them, each once; and null if there are more such rows.
create function words_of_rows(in_table text, in_workspace uuid, in_words tsquery, in_beginnings text[], in_most integer) returns setof text
  language plpgsql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
begin
  return query execute format('with found as (select words from %I where workspace_id = $1 and words @@ (select $2) limit $4)
      select distinct l from found, unnest(tsvector_to_array(words)) l, unnest($3) b where starts_with(l, b)
      union all select null where (select count(*) from found) >= $4', in_table)
    using in_workspace, in_words, in_beginnings, in_most;
end $$;

-- The parameter of this function has the name of the new column.
create or replace function notes_with_words(in_workspace uuid, words tsquery, most integer) returns setof uuid language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
#variable_conflict use_variable
begin
  return query select id from notes where workspace_id = in_workspace and search @@ words limit most;
end $$;
