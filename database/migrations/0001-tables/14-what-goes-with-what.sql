-- Rows that belong to a record or to a membership are deleted with it. A trigger does so with one statement for all that a
-- statement deletes. Foreign keys would do so row by row, and would check every row that is inserted, which is 15 % of
-- PostgreSQL's time in a batch. They are not needed here, because such rows are only written by a transaction that has made
-- or locked what they belong to.
-- docs/decisions/0008-batches.md
--
-- Each row that is gone is looked for in the indexes, whatever the number of rows: the plans of these statements are kept, and
-- one that was made for a hundred thousand rows, with a hash of the whole table, would be used for a single one as well.

create function people_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from person_groups b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  delete from person_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from person_companies b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.id;
  return null;
end $$;
create trigger people_gone after delete on people referencing old table as gone
  for each statement execute function people_gone();

create function companies_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from company_groups b using gone where b.workspace_id = gone.workspace_id and b.company_id = gone.id;
  delete from company_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  return null;
end $$;
create trigger companies_gone after delete on companies referencing old table as gone
  for each statement execute function companies_gone();

create function objects_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from object_groups b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_search b using gone where b.workspace_id = gone.workspace_id and b.id = gone.id;
  delete from object_people b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  delete from object_companies b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.id;
  return null;
end $$;
create trigger objects_gone after delete on objects referencing old table as gone
  for each statement execute function objects_gone();

create function person_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from person_values b using gone where b.workspace_id = gone.workspace_id and b.person_id = gone.person_id and b.group_id = gone.group_id;
  return null;
end $$;
create trigger person_groups_gone after delete on person_groups referencing old table as gone
  for each statement execute function person_groups_gone();

create function company_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from company_values b using gone where b.workspace_id = gone.workspace_id and b.company_id = gone.company_id and b.group_id = gone.group_id;
  return null;
end $$;
create trigger company_groups_gone after delete on company_groups referencing old table as gone
  for each statement execute function company_groups_gone();

create function object_groups_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from object_values b using gone where b.workspace_id = gone.workspace_id and b.object_id = gone.object_id and b.group_id = gone.group_id;
  return null;
end $$;
create trigger object_groups_gone after delete on object_groups referencing old table as gone
  for each statement execute function object_groups_gone();
