-- The groups that a record is in, as its row tells them: an index for filters and for the deletion of a group.
create table person_groups (
  workspace_id uuid not null,
  person_id uuid not null,
  group_id uuid not null,
  primary key (workspace_id, person_id, group_id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create index person_groups_group on person_groups (workspace_id, group_id, person_id);

-- The values of custom fields, a row for each entry of a value: an index for filters, which never look into the JSON of the
-- record's row. docs/decisions/0003-custom-values.md
create table person_values (
  workspace_id uuid not null,
  person_id uuid not null,
  group_id uuid not null,
  field_id uuid not null,
  position smallint not null,
  -- The option, user, person, company or object; for a text the MD5 of its NFC, since a long text does not fit into an
  -- index.
  item uuid,
  number_value numeric,
  date_value date,
  -- For "like": NFC and Unicode lower case, made by the server because the database's locale may know neither.
  folded_text text,
  primary key (workspace_id, person_id, group_id, field_id, position)
);
create index person_values_item on person_values (workspace_id, item, field_id, person_id)
  where item is not null;
create index person_values_number on person_values (workspace_id, field_id, number_value, person_id)
  where number_value is not null;
create index person_values_date on person_values (workspace_id, field_id, date_value, person_id)
  where date_value is not null;
create index person_values_folded_text on person_values
  using gin (workspace_id, folded_text gin_trgm_ops) with (gin_pending_list_limit = 1024)
  where folded_text is not null;
-- A person has an item of a field once, which makes a join of "exists" (docs/decisions/0004-filters.md). Numbers and dates have none.
create unique index person_values_field on person_values (workspace_id, field_id, person_id, item);
-- An option belongs to one field. Without this the planner takes field and item for independent of each other, and
-- expects hundreds of times fewer rows than there are.
create statistics person_values_related (dependencies) on workspace_id, field_id, item from person_values;

-- The ids of people who were merged into another. They stay valid as long as that person is there.
create table person_aliases (
  workspace_id uuid not null,
  alias_id uuid not null,
  person_id uuid not null,
  primary key (workspace_id, alias_id),
  foreign key (workspace_id, person_id) references people on delete cascade
);
create index person_aliases_target on person_aliases (workspace_id, person_id);
