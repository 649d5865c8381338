import type { Filter } from "./filters.ts";

/** A statement or condition and the values of its placeholders. */
export type Sql = { text: string; params: unknown[] };

/** New people as JSON texts for `NEW_PEOPLE`: without and with their values, since only some statements need those. */
export type Batch = { people: string; peopleWithValues: string };

/** A person in a group, with the values of its fields by field id. */
export type Membership = { groupId: string; values: Record<string, unknown> };

/**
 * One value of a person in the big group. `memberships` are all of the person with the new value in them: whoever changes a
 * record has locked and read it.
 */
export type Change = { person: string; field: string; value: number; memberships: Membership[] };

/** A way to store the values: its tables, and the SQL of everything that is measured. */
export type Design = {
  key: string;
  title: string;
  create: string;
  fill: Sql[];
  indexes: string[];
  /** A condition on `p` (people); placeholders start at $2, $1 is the workspace. */
  condition: (filter: Filter) => Sql;
  /** What is read of a record besides its own columns. Where it has only the ids of companies, a second statement reads their names. */
  record: string;
  /** The same with the names. */
  recordWithNames?: string;
  /** Where `text_keys` and `folded_texts` are, at which filters on native texts look. */
  search: "people" | "person_search";
  insert: (batch: Batch) => Sql[];
  update: (change: Change) => Sql[];
  rename: (person: string, name: string, description: string) => Sql[];
  removeGroup: (people: string[]) => Sql[];
  forget: (person: string) => Sql[];
  removeCompany: (company: string) => Sql[];
};

export const COMMON_TABLES = (valuesOnPeople: boolean, valuesOnMembership: boolean) => `
  create table companies (
    workspace_id uuid not null, id uuid not null, name text not null, description text not null, primary key (workspace_id, id));
  create table people (
    workspace_id uuid not null, id uuid not null, created_at timestamptz not null, created_by uuid not null,
    folded_texts text not null, full_name text not null, description text not null, emails jsonb not null, text_keys uuid[] not null,
    ${valuesOnPeople ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, id));
  create table person_groups (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null, position smallint not null,
    ${valuesOnMembership ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, person_id, group_id),
    foreign key (workspace_id, person_id) references people on delete cascade);
  create table person_companies (
    workspace_id uuid not null, person_id uuid not null, company_id uuid not null, position smallint not null,
    primary key (workspace_id, person_id, company_id),
    foreign key (workspace_id, person_id) references people on delete cascade,
    foreign key (workspace_id, company_id) references companies on delete cascade);`;

export const COLUMNS =
  "workspace_id, id, created_at, created_by, folded_texts, full_name, description, emails, text_keys";
export const VALUES_OF_COLUMNS = `s.workspace_id, s.person_id, now(), bench_id('user', s.n % 50), folded(s.full_name, s.description),
  s.full_name, s.description, '["person@example.com"]', keys_of(s.full_name, s.description)`;

export const FILL_COMPANIES = "insert into companies select workspace_id, id, name, description from source_companies";
export const FILL_PEOPLE = `insert into people (${COLUMNS}) select ${VALUES_OF_COLUMNS} from source_people s order by s.n`;
export const FILL_LINKS = `
  insert into person_companies select s.workspace_id, s.person_id, c.id, c.position
  from source_people s cross join lateral unnest(s.company_ids) with ordinality c(id, position) order by s.n`;
export const FILL_MEMBERSHIPS = (values: string) => `
  insert into person_groups select workspace_id, person_id, group_id, group_number ${values} from source order by n, group_number`;
/** Everything but the memberships. */
export const FILL_RECORDS: Sql[] = [FILL_COMPANIES, FILL_PEOPLE, FILL_LINKS].map((text) => ({ text, params: [] }));

export const NEW_PEOPLE_WITH = (typeOfValues: "json" | "jsonb") => `json_to_recordset($1::json) as s(
  workspace_id uuid, person_id uuid, n bigint, full_name text, description text, company_ids uuid[], group_id uuid, "values" ${typeOfValues})`;
export const NEW_PEOPLE = NEW_PEOPLE_WITH("jsonb");
export const INSERT_PEOPLE = `insert into people (${COLUMNS}) select ${VALUES_OF_COLUMNS} from ${NEW_PEOPLE}`;
export const INSERT_LINKS = `
  insert into person_companies select s.workspace_id, s.person_id, c.id, c.position
  from ${NEW_PEOPLE} cross join lateral unnest(s.company_ids) with ordinality c(id, position)`;
export const INSERT_MEMBERSHIPS = `insert into person_groups select workspace_id, person_id, group_id, 1 from ${NEW_PEOPLE}`;

/** The linked companies of a record with their names, as `engine/records/select.ts` reads them. */
export const LINKS = `(select json_agg(json_build_object('uuid', t.id, 'label', t.name) order by l.position)
  from person_companies l join companies t on t.workspace_id = l.workspace_id and t.id = l.company_id
  where l.workspace_id = p.workspace_id and l.person_id = p.id) as companies`;
/** The memberships of a record, `values` being the expression of a membership's values. */
export const MEMBERSHIPS = (values: string) => `
  (select json_agg(json_build_object('groupId', m.group_id, 'values', ${values}) order by m.position, m.group_id)
   from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id) as memberships`;

/** A new name where the columns for searching stand in the row itself. */
export const RENAME =
  "update people set full_name = $3, folded_texts = folded($3, $4), text_keys = keys_of($3, $4) where workspace_id = $1 and id = $2";

export const DELETE_PERSON = "delete from people where workspace_id = $1 and id = $2";
export const DELETE_COMPANY = "delete from companies where workspace_id = $1 and id = $2";
