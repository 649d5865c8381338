import type { Database } from "../../database/database.ts";

const TABLES = { person: "people", company: "companies", object: "objects" };
const KINDS = ["person", "company", "object"] as const;

/**
 * What must hold of the records of a workspace at any moment, in SQL of its own: gives what does not.
 * docs/decisions/0003-custom-values.md
 */
export async function brokenInvariants(database: Database, workspaceId: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, sql] of Object.entries(INVARIANTS)) {
    for (const { what } of await database.queryPlanned<{ what: string }>(sql, [workspaceId]))
      broken.push(`${name}: ${what}`);
  }
  return broken;
}

/** The groups that the rows of records tell. */
function memberships(kind: (typeof KINDS)[number]): string {
  return `
    select r.id as record, (m.entry ->> 'groupId')::uuid as group_id, m.entry -> 'values' as values
    from ${TABLES[kind]} r cross join lateral jsonb_array_elements(r.memberships::jsonb) m(entry) where r.workspace_id = $1`;
}

/** Entries of values in their order, as the rows for filters should hold them; text after NFC, as its md5. */
function stored(kind: (typeof KINDS)[number]): string {
  return `
    select m.record, m.group_id, f.id as field_id, f.type, e.entry,
      row_number() over (partition by m.record, m.group_id, f.id order by e.place) as place,
      case when f.type = 'textField' then md5(normalize(e.entry, NFC))::uuid
        when f.type in ('contactField', 'objectField') then substring(e.entry from 5)::uuid
        when f.type not in ('numericField', 'dateField') then e.entry::uuid end as item,
      case when f.type = 'numericField' then e.entry::numeric end as number_value,
      case when f.type = 'dateField' then e.entry::date end as date_value
    from (${memberships(kind)}) m cross join jsonb_each(m.values) v
    join custom_fields f on f.workspace_id = $1 and f.id = v.key::uuid
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(v.value) when 'array' then v.value else jsonb_build_array(v.value) end) with ordinality e(entry, place)`;
}

function indexed(kind: string): string {
  return `
    select ${kind}_id as record, group_id, field_id,
      row_number() over (partition by ${kind}_id, group_id, field_id order by position) as place, item, number_value, date_value
    from ${kind}_values where workspace_id = $1`;
}

const COMPARED = "record, group_id, field_id, place, item, number_value, date_value";

function invariantsOf(kind: (typeof KINDS)[number]): Record<string, string> {
  const [stands, inRows] = [
    `select ${COMPARED} from (${stored(kind)}) s`,
    `select ${COMPARED} from (${indexed(kind)}) i`,
  ];
  const table = TABLES[kind];
  const inRow = `select record, group_id from (${memberships(kind)}) m where exists (select from groups g where g.workspace_id = $1 and g.id = m.group_id)`;
  const inIndex = `select ${kind}_id, group_id from ${kind}_groups where workspace_id = $1`;
  return {
    [`a ${kind} has groups for filters that it is not in`]: `select d::text as what from ((${inIndex}) except all (${inRow})) d`,
    [`a ${kind} is in groups that filters do not know`]: `select d::text as what from ((${inRow}) except all (${inIndex})) d`,
    [`a ${kind} and what filters look at are not both there`]: `
      select coalesce(r.id, s.id)::text as what from (select id from ${table} where workspace_id = $1) r
      full join (select id from ${kind}_search where workspace_id = $1) s on s.id = r.id where r.id is null or s.id is null`,
    [`a ${kind} has rows for filters that are not its values`]: `select d::text as what from ((${inRows}) except all (${stands})) d`,
    [`a ${kind} has values without rows for filters`]: `select d::text as what from ((${stands}) except all (${inRows})) d`,
    [`a value of a ${kind} names a record that is not there`]: `
      select s.record || ' ' || s.entry as what from (${stored(kind)}) s where s.type in ('contactField', 'objectField') and not exists (
        select from people where workspace_id = $1 and 'per_' || id = s.entry
        union all select from companies where workspace_id = $1 and 'com_' || id = s.entry
        union all select from objects where workspace_id = $1 and 'obj_' || id = s.entry)`,
    [`a list of a value of a ${kind} names something twice`]: `
      select record::text as what from (${stored(kind)}) s where type <> 'textField' group by record, group_id, field_id, entry having count(*) > 1`,
    [`a ${kind} is also an alias`]: `
      select alias_id::text as what from ${kind}_aliases a where workspace_id = $1
        and exists (select from ${table} r where r.workspace_id = $1 and r.id = a.alias_id)`,
  };
}

function linksOf(table: string, from: string, to: string, owners: string): Record<string, string> {
  const inRow = `select r.id, unnest(r.${to}s) from ${owners} r where r.workspace_id = $1`;
  const inIndex = `select ${from}, ${to} from ${table} where workspace_id = $1`;
  return {
    [`${table} has links that ${owners} have not`]: `select d::text as what from ((${inIndex}) except all (${inRow})) d`,
    [`${owners} have links that ${table} has not`]: `select d::text as what from ((${inRow}) except all (${inIndex})) d`,
  };
}

const INVARIANTS: Record<string, string> = {
  ...Object.assign({}, ...KINDS.map(invariantsOf)),
  ...linksOf("person_companies", "person_id", "company_id", "people"),
  ...linksOf("object_people", "object_id", "person_id", "objects"),
  ...linksOf("object_companies", "object_id", "company_id", "objects"),
  "two companies have one name": `
    select min(name) as what from companies where workspace_id = $1 group by normalize(name, NFC) having count(*) > 1`,
  "a company has the key of another name": `
    select name as what from companies where workspace_id = $1 and name_key <> sha256(convert_to(normalize(name, NFC), 'UTF8'))`,
};
