create table groups (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  visibility text not null check (visibility in ('public', 'private')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table group_members (
  workspace_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('reader', 'contributor', 'admin')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, group_id, user_id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, user_id) references users on delete cascade
);
create index group_members_user on group_members (workspace_id, user_id);

create table object_types (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  name text not null,
  -- The name as names are compared.
  name_key text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create unique index object_types_name on object_types (workspace_id, group_id, name_key);

create table custom_fields (
  workspace_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  entity_kind text not null check (entity_kind in ('person', 'company', 'object')),
  object_type_id uuid,
  name text not null,
  name_key text not null,
  type text not null,
  config jsonb,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, group_id) references groups on delete cascade,
  foreign key (workspace_id, object_type_id) references object_types on delete cascade,
  -- Fields of people and companies belong to the group, those of objects to one type of objects in it.
  check ((entity_kind = 'object') = (object_type_id is not null))
);
create unique index custom_fields_name on custom_fields
  (workspace_id, group_id, coalesce(object_type_id::text, entity_kind), name_key);

create table custom_field_options (
  workspace_id uuid not null,
  id uuid not null,
  field_id uuid not null,
  label text not null,
  color text not null,
  position integer not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, field_id) references custom_fields on delete cascade
);
create index custom_field_options_field on custom_field_options (workspace_id, field_id);
