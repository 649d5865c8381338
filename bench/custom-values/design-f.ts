import { BIG_GROUP, WORKSPACE } from "./data.ts";
import { DELETE_COMPANY, DELETE_PERSON, type Design, NEW_PEOPLE, NEW_PEOPLE_WITH, type Sql } from "./design.ts";
import { A } from "./design-a.ts";
import { B } from "./design-b.ts";
import { C } from "./design-c.ts";
import { negated, rowCondition } from "./filters.ts";
import { FOLDED_TEXT, HASH_OF_TEXT, ROWS_OUT_OF_JSON, VALUE_ROWS } from "./value-rows.ts";

type Json = "json" | "jsonb";
/** How a variant keeps memberships, and where it has the columns for searching. */
type Variant = { json: Json; search: Design["search"] };

/** The row of a record holds all that is read with it; whatever stands beside it is an index. */
function rowDesign(key: string, title: string, variant: Variant): Design {
  const { json, search } = variant;
  return {
    ...C,
    key,
    title,
    create: tables(variant),
    fill: fill(variant),
    condition: negated((filter) =>
      rowCondition(filter, { eqText: "v.item = md5($2::text)::uuid", like: "v.folded_text like $2", all: "rows" }),
    ),
    record: "p.company_ids, p.memberships",
    recordWithNames: `p.memberships, ${LINKS_OF_IDS}`,
    search,
    insert: ({ people, peopleWithValues }) => [
      { text: insertPeople(variant), params: [peopleWithValues] },
      ...insertBeside(variant).map((text) => ({ text, params: [people] })),
      { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, FOLDED_TEXT, HASH_OF_TEXT), params: [peopleWithValues] },
    ],
    update: (change) => [
      {
        text: "update people set memberships = $3 where workspace_id = $1 and id = $2",
        params: [WORKSPACE, change.person, JSON.stringify(change.memberships)],
      },
      ...B.update(change),
    ],
    rename: search === "people" ? A.rename : renameBoth,
    removeGroup: (people) => [
      ...A.removeGroup(people),
      { text: withoutGroup(json), params: [WORKSPACE, BIG_GROUP, people] },
    ],
    forget: (person) => [
      { text: withoutReference(json), params: [WORKSPACE, person] },
      { text: DELETE_PERSON, params: [WORKSPACE, person] },
    ],
    removeCompany: (company) => [
      {
        text: `with gone as (delete from person_companies where workspace_id = $1 and company_id = $2 returning person_id)
          update people p set company_ids = array_remove(p.company_ids, $2) from gone where p.workspace_id = $1 and p.id = gone.person_id`,
        params: [WORKSPACE, company],
      },
      { text: DELETE_COMPANY, params: [WORKSPACE, company] },
    ],
  };
}

const LINKS_OF_IDS = `(select json_agg(json_build_object('uuid', t.id, 'label', t.name) order by l.position)
  from unnest(p.company_ids) with ordinality l(id, position) join companies t on t.workspace_id = p.workspace_id and t.id = l.id) as companies`;

const SEARCH_COLUMNS = "folded_texts text not null, text_keys uuid[] not null,";

/** Companies hold memberships too, since reading their names means reading rows as wide as those of people. */
const tables = ({ json, search }: Variant) => `
  create table companies (
    workspace_id uuid not null, id uuid not null, name text not null, description text not null, memberships ${json} not null,
    primary key (workspace_id, id));
  create table people (
    workspace_id uuid not null, id uuid not null, created_at timestamptz not null, created_by uuid not null,
    full_name text not null, description text not null, emails jsonb not null, ${search === "people" ? SEARCH_COLUMNS : ""}
    company_ids uuid[] not null, memberships ${json} not null,
    primary key (workspace_id, id));
  ${search === "people" ? "" : SEARCH_TABLE}
  create table person_groups (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null,
    primary key (workspace_id, person_id, group_id),
    foreign key (workspace_id, person_id) references people on delete cascade);
  create table person_companies (
    workspace_id uuid not null, person_id uuid not null, company_id uuid not null,
    primary key (workspace_id, person_id, company_id),
    foreign key (workspace_id, person_id) references people on delete cascade,
    foreign key (workspace_id, company_id) references companies on delete cascade);
  ${VALUE_ROWS("folded_text")}`;

const SEARCH_TABLE = `
  create table person_search (
    workspace_id uuid not null, person_id uuid not null, ${SEARCH_COLUMNS}
    primary key (workspace_id, person_id),
    foreign key (workspace_id, person_id) references people on delete cascade);`;

const columns = ({ search }: Variant) =>
  `workspace_id, id, created_at, created_by, full_name, description, emails, ${search === "people" ? "folded_texts, text_keys," : ""} company_ids, memberships`;
const SEARCH_VALUES = "folded(s.full_name, s.description), keys_of(s.full_name, s.description)";
/** All but the memberships. */
const valuesOfColumns = ({ search }: Variant) => `
  s.workspace_id, s.person_id, now(), bench_id('user', s.n % 50), s.full_name, s.description, '["person@example.com"]',
  ${search === "people" ? `${SEARCH_VALUES},` : ""} coalesce(s.company_ids, '{}')`;

const fill = (variant: Variant): Sql[] =>
  [
    `insert into companies select c.workspace_id, c.id, c.name, c.description, m.memberships
     from source_companies c join (${membershipsOfSource(variant.json)}) m on m.n = c.n`,
    `insert into people (${columns(variant)}) select ${valuesOfColumns(variant)}, m.memberships
     from source_people s join (${membershipsOfSource(variant.json)}) m on m.n = s.n order by s.n`,
    ...(variant.search === "people" ? [] : [`${insertSearch("source_people s")} order by s.n`]),
    "insert into person_groups select workspace_id, person_id, group_id from source order by n, group_number",
    "insert into person_companies select workspace_id, person_id, unnest(company_ids) from source_people order by n",
    ROWS_OUT_OF_JSON("source s", FOLDED_TEXT, HASH_OF_TEXT),
  ].map((text) => ({ text, params: [] }));

/** The memberships of every person of the source, without blanks, as the server writes them. */
const membershipsOfSource = (json: Json) => `
  select n, compact(jsonb_agg(jsonb_build_object('groupId', group_id, 'values', "values") order by group_number))::${json} as memberships
  from source group by n`;

const insertPeople = (variant: Variant) => `
  insert into people (${columns(variant)})
  select ${valuesOfColumns(variant)}, ${variant.json}_build_array(${variant.json}_build_object('groupId', s.group_id, 'values', s."values"))
  from ${NEW_PEOPLE_WITH(variant.json)}`;

/** The tables beside the row, but for the typed rows. */
const insertBeside = ({ search }: Variant) => [
  ...(search === "people" ? [] : [insertSearch(NEW_PEOPLE)]),
  `insert into person_groups select workspace_id, person_id, group_id from ${NEW_PEOPLE}`,
  `insert into person_companies select workspace_id, person_id, unnest(company_ids) from ${NEW_PEOPLE}`,
];

const insertSearch = (from: string) =>
  `insert into person_search select s.workspace_id, s.person_id, ${SEARCH_VALUES} from ${from}`;

const renameBoth: Design["rename"] = (person, name, description) => [
  {
    text: "update people set full_name = $3 where workspace_id = $1 and id = $2",
    params: [WORKSPACE, person, name],
  },
  {
    text: "update person_search set folded_texts = folded($3, $4), text_keys = keys_of($3, $4) where workspace_id = $1 and person_id = $2",
    params: [WORKSPACE, person, name, description],
  },
];

const withoutGroup = (json: Json) => `
  update people p set memberships = (
    select coalesce(${json}_agg(m.value order by m.position), '[]') from ${json}_array_elements(p.memberships) with ordinality m(value, position)
    where m.value ->> 'groupId' <> $2)
  where p.workspace_id = $1 and p.id = any($3)`;

/** Deletes the rows that name the person, and takes it from the lists of whoever they are of; a list that becomes empty goes. */
const withoutReference = (json: Json) => `
  with gone as (delete from person_values where workspace_id = $1 and item = $2 returning person_id),
  owners as (select distinct person_id from gone)
  update people p set memberships = (
    select ${json}_agg(jsonb_set(m.value, '{values}', (
      select coalesce(jsonb_object_agg(v.key, case when jsonb_typeof(v.value) = 'array' then v.value - $2::text else v.value end), '{}')
      from jsonb_each(m.value -> 'values') v where v.value <> jsonb_build_array($2::text))) order by m.position)
    from jsonb_array_elements(p.memberships::jsonb) with ordinality m(value, position))
  from owners where p.workspace_id = $1 and p.id = owners.person_id`;

export const F = rowDesign("F", "all on the record as json, typed rows for filters", {
  json: "json",
  search: "person_search",
});
export const F_JSONB = rowDesign("F2", "F with jsonb instead of json", { json: "jsonb", search: "person_search" });
export const F_SEARCH_ON_ROW = rowDesign("F3", "F with the columns for searching on the row", {
  json: "json",
  search: "people",
});
