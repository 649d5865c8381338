-- As for people: 11-groups-and-values-of-people.sql.

create table company_groups (
  workspace_id uuid not null,
  company_id uuid not null,
  group_id uuid not null,
  primary key (workspace_id, company_id, group_id),
  foreign key (workspace_id, group_id) references groups on delete cascade
);
create index company_groups_group on company_groups (workspace_id, group_id, company_id);

create table company_values (
  workspace_id uuid not null,
  company_id uuid not null,
  group_id uuid not null,
  field_id uuid not null,
  position smallint not null,
  item uuid,
  number_value numeric,
  date_value date,
  folded_text text,
  primary key (workspace_id, company_id, group_id, field_id, position)
);
create index company_values_item on company_values (workspace_id, item, field_id, company_id)
  where item is not null;
create index company_values_number on company_values (workspace_id, field_id, number_value, company_id)
  where number_value is not null;
create index company_values_date on company_values (workspace_id, field_id, date_value, company_id)
  where date_value is not null;
create index company_values_folded_text on company_values
  using gin (workspace_id, folded_text gin_trgm_ops) with (gin_pending_list_limit = 1024)
  where folded_text is not null;
create unique index company_values_field on company_values (workspace_id, field_id, company_id, item);
create statistics company_values_related (dependencies) on workspace_id, field_id, item from company_values;

create table company_aliases (
  workspace_id uuid not null,
  alias_id uuid not null,
  company_id uuid not null,
  primary key (workspace_id, alias_id),
  foreign key (workspace_id, company_id) references companies on delete cascade
);
create index company_aliases_target on company_aliases (workspace_id, company_id);
