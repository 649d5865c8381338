import type { Filter } from "./filters.ts";

/** A statement or condition and the values of its placeholders. */
export type Sql = { text: string; params: unknown[] };

/** A way to store the values: its tables, and the SQL of everything that is measured. */
export type Design = {
  key: string;
  title: string;
  create: string;
  fill: Sql[];
  indexes: string[];
  /** A condition on `p` (people); placeholders start at $2, $1 is the workspace. */
  condition: (filter: Filter) => Sql;
  record: string;
  insert: Sql[];
  update: (field: string, person: string, value: number) => Sql[];
  removeGroup: (people: string[]) => Sql[];
  forget: (person: string) => Sql[];
};

export const COMMON_TABLES = (valuesOnPeople: boolean, valuesOnMembership: boolean) => `
  create table people (
    workspace_id uuid not null, id uuid not null, full_name text not null, emails jsonb not null, created_at timestamptz not null,
    ${valuesOnPeople ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, id));
  create table person_groups (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null, position smallint not null,
    ${valuesOnMembership ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, person_id, group_id),
    foreign key (workspace_id, person_id) references people on delete cascade);`;

export const FILL_PEOPLE = `insert into people select workspace_id, person_id, 'Person ' || n, '["person@example.com"]', now() from source where group_number = 1`;
export const FILL_MEMBERSHIPS = (values: string) => `
  insert into person_groups select workspace_id, person_id, group_id, group_number ${values} from source`;

export const NEW_PEOPLE = `jsonb_to_recordset($1::jsonb) as s(workspace_id uuid, person_id uuid, group_id uuid, "values" jsonb)`;
export const INSERT_PEOPLE = `insert into people (workspace_id, id, full_name, emails, created_at) select workspace_id, person_id, 'New', '[]', now() from ${NEW_PEOPLE}`;

export const RECORD_WITH_MEMBERSHIP = `(select jsonb_object_agg(m.group_id, m."values") from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id) as "values"`;
