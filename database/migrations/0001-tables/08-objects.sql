-- As for people: 06-people.sql.

create table objects (
  workspace_id uuid not null,
  id uuid not null,
  object_type_id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  name text not null,
  company_ids uuid[] not null,
  person_ids uuid[] not null,
  memberships json not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, object_type_id) references object_types on delete cascade
) with (fillfactor = 90);
create index objects_type on objects (workspace_id, object_type_id, id);

create table object_search (
  workspace_id uuid not null,
  id uuid not null,
  object_type_id uuid not null,
  created_by uuid not null,
  folded_texts text not null,
  -- Objects have no field that is a list of texts. The column is here so that all records are written in the same way.
  folded_lists text not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id)
);
create index object_search_type on object_search (workspace_id, object_type_id, id);
create index object_search_text_keys on object_search
  using gin (text_keys) with (gin_pending_list_limit = 256);
create index object_search_folded on object_search
  using gin (workspace_id, folded_texts gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index object_search_created_by on object_search (workspace_id, created_by, id);

create statistics object_search_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from object_search;
