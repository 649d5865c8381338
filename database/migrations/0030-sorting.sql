-- Runs with: 0021-periods
-- Contracts: nothing that the release before looks for: the four indexes that are dropped are made anew, with more rows, under their names
-- Lists can be sorted (docs/decisions/0024-sorting.md). Each index has the key of a field and behind it the id, so that equal keys
-- stand by creation; records without a value stand behind the others. Texts are compared by the first 200 code points of their folded
-- form, whatever the locale of the database is (engine/sorting/walk.ts).
create index person_search_first_name on person_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 1), 200), '') collate "C"), id);
create index person_search_last_name on person_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 2), 200), '') collate "C"), id);
create index person_search_full_name on person_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 3), 200), '') collate "C"), id);
create index person_search_job_title on person_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 5), 200), '') collate "C"), id);
create index company_search_name on company_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 1), 200), '') collate "C"), id);
create index company_search_industry on company_search
  (workspace_id, (nullif(left(split_part(folded_texts, 'F', 3), 200), '') collate "C"), id);
create index object_search_name on object_search
  (workspace_id, object_type_id, (nullif(left(split_part(folded_texts, 'F', 1), 200), '') collate "C"), id);

create index person_values_text on person_values (workspace_id, field_id, (left(folded_text, 200) collate "C"), person_id)
  where folded_text is not null;
create index company_values_text on company_values (workspace_id, field_id, (left(folded_text, 200) collate "C"), company_id)
  where folded_text is not null;
create index object_values_text on object_values (workspace_id, field_id, (left(folded_text, 200) collate "C"), object_id)
  where folded_text is not null;

-- The indexes of dates and numbers left out the records without a value, which a sorted list has too.
drop index person_search_birthday, company_search_funding_raised, company_search_foundation_year, company_search_last_funding_date;
create index person_search_birthday on person_search (workspace_id, birthday, id);
create index company_search_funding_raised on company_search (workspace_id, funding_raised, id);
create index company_search_foundation_year on company_search (workspace_id, foundation_year, id);
create index company_search_last_funding_date on company_search (workspace_id, last_funding_date, id);
