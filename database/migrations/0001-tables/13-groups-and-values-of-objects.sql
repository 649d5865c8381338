-- As for people: 11-groups-and-values-of-people.sql.

create table object_groups (
  workspace_id uuid not null,
  object_id uuid not null,
  group_id uuid not null,
  primary key (workspace_id, object_id, group_id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create index object_groups_group on object_groups (workspace_id, group_id, object_id);

create table object_values (
  workspace_id uuid not null,
  object_id uuid not null,
  group_id uuid not null,
  field_id uuid not null,
  position smallint not null,
  item uuid,
  number_value numeric,
  date_value date,
  folded_text text,
  primary key (workspace_id, object_id, group_id, field_id, position)
);
create index object_values_item on object_values (workspace_id, item, field_id, object_id)
  where item is not null;
create index object_values_number on object_values (workspace_id, field_id, number_value, object_id)
  where number_value is not null;
create index object_values_date on object_values (workspace_id, field_id, date_value, object_id)
  where date_value is not null;
create index object_values_folded_text on object_values
  using gin (workspace_id, folded_text gin_trgm_ops) with (gin_pending_list_limit = 1024)
  where folded_text is not null;
create unique index object_values_field on object_values (workspace_id, field_id, object_id, item);
create statistics object_values_related (dependencies) on workspace_id, field_id, item from object_values;

create table object_aliases (
  workspace_id uuid not null,
  alias_id uuid not null,
  object_id uuid not null,
  primary key (workspace_id, alias_id),
  foreign key (workspace_id, object_id) references objects on delete cascade
);
create index object_aliases_target on object_aliases (workspace_id, object_id);
