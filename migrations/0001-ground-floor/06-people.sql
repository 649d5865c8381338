-- Rules of people, companies and objects, which are the records:
--
-- Records have no foreign keys to workspaces and users. Every insert would lock the same two rows, and neither is deleted
-- but together with everything else of its workspace.
--
-- Filters on texts look at three columns that hold the texts of all fields of a record once more
-- (docs/decisions/0004-filters.md). With an index for each field, a create would have to write nine of them.
--   text_keys     For each field the keys of its texts, or the key that says that the field has no text. Operators that
--                 compare whole texts, and "empty", look for keys.
--   folded_texts  The texts in lower case, each field at a place of its own, parted by an F. "like" looks here.
--   folded_lists  The same of fields that are lists of texts, such as addresses.
-- The folded columns stand before all other columns of varying length, where PostgreSQL finds them fastest.
--
-- New entries of both indexes wait in a list of limited size (in kB) before they are sorted in. That takes half off the
-- cost of a create, and adds at most 0.3 ms to a look-up of keys and 3 ms to one of trigrams.
--
-- How often a text stands in a field the planner can only know from statistics of each place.
create table people (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  folded_texts text not null,
  folded_lists text not null,
  first_name text not null,
  last_name text not null,
  full_name text not null,
  description text not null,
  birthday date,
  gender text not null,
  job_title text not null,
  addresses text[] not null,
  emails text[] not null,
  phones text[] not null,
  urls text[] not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);

create index people_text_keys on people
  using gin (workspace_id, text_keys) with (gin_pending_list_limit = 256);
create index people_folded on people
  using gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index people_created_by on people (workspace_id, created_by, id);
create index people_birthday on people (workspace_id, birthday, id) where birthday is not null;

create statistics people_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from people;
create statistics people_folded_texts_2 on (split_part(folded_texts, 'F', 2)) from people;
create statistics people_folded_texts_3 on (split_part(folded_texts, 'F', 3)) from people;
create statistics people_folded_texts_4 on (split_part(folded_texts, 'F', 4)) from people;
create statistics people_folded_texts_5 on (split_part(folded_texts, 'F', 5)) from people;
create statistics people_folded_lists_1 on (split_part(folded_lists, 'F', 1)) from people;
create statistics people_folded_lists_2 on (split_part(folded_lists, 'F', 2)) from people;
create statistics people_folded_lists_3 on (split_part(folded_lists, 'F', 3)) from people;
create statistics people_folded_lists_4 on (split_part(folded_lists, 'F', 4)) from people;
