-- A record that is made or changed pays for each index entry beside it. These cost more than they gave.
-- docs/decisions/0008-batches.md

-- A write locks the record that a link names, and a deletion or merge of that record takes its links away
-- (engine/records/found.ts, engine/records/incoming-links.ts). So nothing is left for these keys to find, and checking them was two
-- thirds of what a link cost.
alter table person_companies drop constraint person_companies_workspace_id_company_id_fkey;
alter table object_companies drop constraint object_companies_workspace_id_company_id_fkey;
alter table object_people drop constraint object_people_workspace_id_person_id_fkey;

-- The primary key has the fields of a record too, so a second index of them is not needed. The index of items is unique now: a record
-- has an item of a field once.
drop index person_values_field, company_values_field, object_values_field;
drop index person_values_item, company_values_item, object_values_item;
create unique index person_values_item on person_values (workspace_id, item, field_id, person_id);
create unique index company_values_item on company_values (workspace_id, item, field_id, company_id);
create unique index object_values_item on object_values (workspace_id, item, field_id, object_id);

-- Imports and interactions find people by forms of their addresses, which were expressions of three GIN indexes: PostgreSQL prepares
-- such a function anew for every statement, which was more than half of what inserting a person cost. Now they stand in rows, and the
-- rules in engine/records/address-forms.ts. E-mail addresses in ASCII without capitals are found by person_search.text_keys.
create table person_addresses (
  workspace_id uuid not null,
  -- The list, as its first letter, and the form.
  form text collate "C" not null,
  person_id uuid not null,
  primary key (workspace_id, form, person_id)
);
insert into person_addresses (workspace_id, form, person_id)
  select p.workspace_id, f.form, p.id from people p cross join lateral (
    select 'e' || regexp_replace(lower(email collate "C"), '[^!-~]', '', 'g') as form
    from json_array_elements_text(p.emails) email where email collate "C" ~ '[^ -@[-~]'
    union select 'p' || form from unnest(phone_digits(p.phones)) form
    union select 'u' || form from unnest(url_forms(p.urls)) form) f
  where length(f.form) > 1;
drop index people_email_forms, people_phone_digits, people_url_forms;
drop function email_forms, phone_digits, url_forms;
