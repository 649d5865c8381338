-- Links between records: the index of the ids that stand in the rows, for filters and for the way back. A link has a foreign
-- key to the record that it names, because another transaction may be deleting that one. It has none to the record that it is
-- of: whoever writes the link has just made or locked that record, and the link is deleted with it by a trigger
-- (14-what-goes-with-what.sql).

create table person_companies (
  workspace_id uuid not null,
  person_id uuid not null,
  company_id uuid not null,
  primary key (workspace_id, person_id, company_id),
  foreign key (workspace_id, company_id) references companies on delete cascade
);
create index person_companies_company on person_companies (workspace_id, company_id, person_id);

create table object_people (
  workspace_id uuid not null,
  object_id uuid not null,
  person_id uuid not null,
  primary key (workspace_id, object_id, person_id),
  foreign key (workspace_id, person_id) references people on delete cascade
);
create index object_people_person on object_people (workspace_id, person_id, object_id);

create table object_companies (
  workspace_id uuid not null,
  object_id uuid not null,
  company_id uuid not null,
  primary key (workspace_id, object_id, company_id),
  foreign key (workspace_id, company_id) references companies on delete cascade
);
create index object_companies_company on object_companies (workspace_id, company_id, object_id);
