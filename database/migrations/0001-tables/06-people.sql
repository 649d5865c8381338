-- Rules of people, companies and objects, which are the records:
--
-- The row of a record holds all that is read with it: its fields, the ids of the records that it is linked to, and its
-- groups with the values of their custom fields. Every table beside it is an index of what stands in the row: for filters,
-- and for the way back from a record to those that name it. docs/decisions/0003-custom-values.md
--
-- Records have no foreign keys to workspaces and users. Every insert would lock the same two rows, and neither is deleted
-- but together with everything else of its workspace.
--
-- Lists of texts and memberships are JSON as it was written: they are read as text, and lists go into answers as they are.
create table people (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  first_name text not null,
  last_name text not null,
  full_name text not null,
  description text not null,
  birthday date,
  gender text not null,
  job_title text not null,
  addresses json not null,
  emails json not null,
  phones json not null,
  urls json not null,
  -- In the order in which they were linked. An id of a company that is gone is not shown.
  company_ids uuid[] not null,
  -- In the order of the groups, for each {"groupId": uuid, "values": {uuid of a field: value}}. A group that is gone is not
  -- shown.
  memberships json not null,
  primary key (workspace_id, id)
) with (fillfactor = 90);

-- What filters look at. It stands apart from the people, because a row with indexes like these is dear to change, and a person
-- changes more often than their name.
--   text_keys     For each field the keys of its texts, or the key that says that the field has no text. Operators that
--                 compare whole texts, and "empty", look for keys. Each workspace has keys of its own.
--   folded_texts  The texts in lower case, each field at a place of its own, parted by an F. "like" looks here.
--   folded_lists  The same of fields that are lists of texts, such as addresses.
-- With an index for each field, a create would have to write nine of them. The folded columns stand before all other columns
-- of varying length, where PostgreSQL finds them fastest. docs/decisions/0004-filters.md
--
-- New entries of both GIN indexes wait in a list of limited size (in kB) before they are sorted in. That takes half off the
-- cost of a create, and adds at most 0.3 ms to a look-up of keys and 3 ms to one of trigrams.
--
-- `id` is that of the person. How often a text stands in a field the planner can only know from statistics of each place.
create table person_search (
  workspace_id uuid not null,
  id uuid not null,
  created_by uuid not null,
  birthday date,
  folded_texts text not null,
  folded_lists text not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);
create index person_search_text_keys on person_search
  using gin (text_keys) with (gin_pending_list_limit = 256);
create index person_search_folded on person_search
  using gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index person_search_created_by on person_search (workspace_id, created_by, id);
create index person_search_birthday on person_search (workspace_id, birthday, id) where birthday is not null;

create statistics person_search_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from person_search;
create statistics person_search_folded_texts_2 on (split_part(folded_texts, 'F', 2)) from person_search;
create statistics person_search_folded_texts_3 on (split_part(folded_texts, 'F', 3)) from person_search;
create statistics person_search_folded_texts_4 on (split_part(folded_texts, 'F', 4)) from person_search;
create statistics person_search_folded_texts_5 on (split_part(folded_texts, 'F', 5)) from person_search;
create statistics person_search_folded_lists_1 on (split_part(folded_lists, 'F', 1)) from person_search;
create statistics person_search_folded_lists_2 on (split_part(folded_lists, 'F', 2)) from person_search;
create statistics person_search_folded_lists_3 on (split_part(folded_lists, 'F', 3)) from person_search;
create statistics person_search_folded_lists_4 on (split_part(folded_lists, 'F', 4)) from person_search;
