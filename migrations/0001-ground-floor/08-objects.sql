create table objects (
  workspace_id uuid not null,
  id uuid not null,
  object_type_id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  folded_texts text not null,
  -- Objects have no field that is a list of texts. The column is here so that all records are written in the same way.
  folded_lists text not null,
  name text not null,
  text_keys uuid[] not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, object_type_id) references object_types on delete cascade
);
create index objects_type on objects (workspace_id, object_type_id, id);

create index objects_text_keys on objects
  using gin (workspace_id, text_keys) with (gin_pending_list_limit = 256);
create index objects_folded on objects
  using gin (workspace_id, folded_texts gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index objects_created_by on objects (workspace_id, created_by, id);

create statistics objects_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from objects;
