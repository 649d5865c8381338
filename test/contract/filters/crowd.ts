import pg from "pg";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import type { TestField, TestGroup, TestUser, TestWorkspace } from "../../../lab/harness/world.ts";
import type { TestDatabase } from "../../support/database.ts";

/** People of the crowd; every fifth is in its group, with a value of every type of custom field. */
export const CROWD = 100_000;
/** One in so many has a value that is rare. */
const RARE = 10_000;

/** What is rare in the crowd: ten people have it. */
interface Rarities {
  creator: TestUser;
  group: TestGroup;
  company: string;
  fields: Map<string, string>;
}

/** Definitions of the custom fields, whose values `valuesSql` makes. */
export const FIELDS = [
  { type: "textField", name: "Text" },
  { type: "numericField", name: "Number" },
  { type: "dateField", name: "Date" },
  { type: "singleSelect", name: "Single", options: [{ label: "rare" }, { label: "common" }] },
  { type: "multipleSelect", name: "Multiple", options: [{ label: "rare" }, { label: "common" }] },
  { type: "userField", name: "User" },
  { type: "contactField", name: "Contact" },
  { type: "objectField", name: "Object" },
];

const TEXTS: [field: string, text: string, list: boolean][] = [
  ["firstName", "'first' || n % 1000", false],
  ["lastName", "'last' || n % 997", false],
  ["fullName", "'first' || n % 1000 || ' last' || n % 997", false],
  ["description", "case when n % RARE = 1 then 'described rarely ' || n else '' end", false],
  ["jobTitle", "case when n % RARE = 2 then 'archivist' else 'job' || n % 20 end", false],
  ["addresses", "n || ' main street'", true],
  ["emails", "'person' || n || '@example.test'", true],
  ["phones", "'+44 ' || n", true],
  ["urls", "'https://example.test/' || n", true],
];
const COLUMNS: Record<string, string> = {
  firstName: "first_name",
  lastName: "last_name",
  fullName: "full_name",
  jobTitle: "job_title",
};

/** A workspace with the crowd, and what in it is rare. */
export interface Crowded {
  creator: TestUser;
  group: TestGroup;
  /** A group without people. */
  empty: TestGroup;
  company: string;
  object: string;
  /** Name of a custom field → its uuid. */
  fields: Map<string, Uuid>;
}

/** Makes the crowd, with its group and fields, in a workspace. */
export async function crowdIn({ url, database }: TestDatabase, workspace: TestWorkspace): Promise<Crowded> {
  const { ada, user, group: makeGroup, field } = workspace;
  const creator = await user("Rare Creator");
  const [group, empty] = [await makeGroup(ada), await makeGroup(ada)];
  const company = `com_${await makeCompany(database, workspace)}`;
  const object = `obj_${newUuid()}`;
  const fields: TestField[] = [];
  for (const definition of FIELDS) fields.push(await field(ada, group, "person", definition));
  const items: Record<string, string> = { User: creator.uuid, Contact: bare(company), Object: bare(object) };
  const known = await database.queryPlanned<{ id: Uuid; name: string; option: string | null }>(
    `select f.id, f.name, (select o.id from custom_field_options o where o.field_id = f.id and o.label = 'rare') as option
     from custom_fields f where workspace_id = $1`,
    [workspace.uuid],
  );
  const placed = known.map(({ id, name, option }): [string, string] => [name, `${id} ${option ?? items[name] ?? ""}`]);
  await gather(url, workspace, fields, { creator, group, company, fields: new Map(placed) });
  return { creator, group, empty, company, object, fields: new Map(known.map(({ id, name }) => [name, id])) };
}

async function makeCompany(database: Database, { uuid, ada }: TestWorkspace): Promise<string> {
  const id = newUuid();
  await database.queryPlanned(
    `insert into companies (workspace_id, id, created_at, created_by, name, name_key, description, addresses, emails, phones, urls, memberships)
     values ($1, $2, now(), $3, 'acme', sha256('acme'), '', '[]', '[]', '[]', '[]', '[]')`,
    [uuid, id, ada.uuid],
  );
  return id;
}

/**
 * Fills a workspace by a few statements, as engine/filters/search-columns.ts and the custom field types would: only
 * ASCII in lower case, so that NFC and folding change nothing. Indexes are made afterwards, since that takes a fifth of
 * the time.
 */
async function gather(url: string, workspace: TestWorkspace, fields: TestField[], rare: Rarities): Promise<void> {
  const { ada } = workspace;
  // A connection of its own: those of the server give up long statements.
  const client = new pg.Client(url);
  await client.connect();
  const { rows: indexes } = await client.query<{ name: string; sql: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql from pg_index i
     where i.indrelid in ('person_search'::regclass, 'person_values'::regclass) and not i.indisprimary`,
  );
  const statements = [
    "set session_replication_role = replica",
    "set maintenance_work_mem = '256MB'",
    ...indexes.map(({ name }) => `drop index ${name}`),
    `create temporary table crowd as ${crowdSql(ada.uuid, rare)}`,
    ...rowsSql(workspace.uuid, fields, rare),
    ...indexes.map(({ sql }) => sql),
    "vacuum analyze people, person_search, person_groups, person_companies, person_values",
  ];
  for (const sql of statements) await client.query(sql.replaceAll("RARE", String(RARE)));
  await client.end();
}

const bare = (id: string): string => id.slice(id.indexOf("_") + 1);

/** Texts in SQL, of the row `n`. Ids are uuid v7: one every ten minutes, so that a day is a small part of them. */
function crowdSql(creator: string, rare: Rarities): string {
  return `
    select n, n % 5 = 0 as is_member,
      (substr(stamp, 1, 8) || '-' || substr(stamp, 9, 4) || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
      case when n % RARE = 3 then '${rare.creator.uuid}'::uuid else '${creator}'::uuid end as created_by,
      case when n % 2 = 0 then '1950-01-01'::date + n % 20000 end as birthday,
      case when n % RARE = 4 then 'Other' else 'Unknown' end as gender,
      array_remove(array[case when n % RARE = 2 then '${bare(rare.company)}'::uuid end,
        case when n % 5 = 0 then md5('${bare(rare.group.id)}')::uuid end], null) as company_ids
    from (select n, lpad(to_hex(1700000000000 + n * 600000::bigint), 12, '0') as stamp from generate_series(1, ${CROWD}) n) numbered`;
}

/** Statements that make the rows of the crowd, and of the tables beside them. */
function rowsSql(workspace: string, fields: TestField[], rare: Rarities): string[] {
  const group = bare(rare.group.id);
  const values = fields.map((field) => indexedValue(field, rare.fields.get(field.name) ?? ""));
  const stored = values.map(({ field, json }) => `'${field}', ${json}`).join(", ");
  const membership = `json_build_object('groupId', '${group}', 'values', json_build_object(${stored}))`;
  const columns = TEXTS.map(([field]) => COLUMNS[field] ?? field).join(", ");
  const texts = TEXTS.map(([, text, isList]) => (isList ? `json_build_array(${text})` : text)).join(", ");
  return [
    `insert into people (workspace_id, id, created_at, created_by, birthday, gender, company_ids, memberships, ${columns})
     select '${workspace}', id, now(), created_by, birthday, gender, company_ids,
       case when is_member then json_build_array(${membership}) else '[]' end, ${texts}
     from (select *, n / 5 as m from crowd) crowd order by n`,
    searchSql(workspace),
    `insert into person_groups (workspace_id, person_id, group_id) select '${workspace}', id, '${group}' from crowd where is_member order by n`,
    `insert into person_companies (workspace_id, person_id, company_id) select '${workspace}', id, unnest(company_ids) from crowd order by n`,
    ...values.map(
      ({ field, columns: indexed, sql }) => `
        insert into person_values (workspace_id, person_id, group_id, field_id, position, ${indexed})
        select '${workspace}', id, '${group}', '${field}', 0, ${sql}
        from (select *, n / 5 as m from crowd where is_member) members order by m`,
    ),
  ];
}

function searchSql(workspace: string): string {
  const key = (field: string, text: string) =>
    `md5('${workspace}${field}'::bytea || '\\x00'::bytea || (${text})::bytea)::uuid`;
  const keys = TEXTS.map(([field, text]) => key(field, text));
  const unset = `case when gender = 'Unknown' then ${key("gender", "''")} end`;
  const [folded, lists] = [false, true].map((list) =>
    TEXTS.flatMap(([, text, isList]) => (isList === list ? [text] : [])).join(" || 'F' || "),
  );
  return `
    insert into person_search (workspace_id, id, created_by, birthday, text_keys, folded_texts, folded_lists)
    select '${workspace}', id, created_by, birthday, array_remove(array[${keys.join(", ")}, ${key("gender", "gender")}, ${unset}], null),
      ${folded}, ${lists}
    from crowd order by n`;
}

/**
 * A value of the m-th member: as JSON in the row, and in the columns of the index. `placed` are a field and what a rare
 * value names.
 */
function indexedValue(
  { type }: TestField,
  placed: string,
): { field: string; json: string; columns: string; sql: string } {
  const [field = "", item = ""] = placed.split(" ");
  const scalars: Record<string, [json: string, columns: string, sql: string]> = {
    textField: ["'note ' || m", "item, folded_text", "md5('note ' || m)::uuid, 'note ' || m"],
    numericField: ["m::text", "number_value", "m"],
    dateField: ["('1900-01-01'::date + m)::text", "date_value", "'1900-01-01'::date + m"],
  };
  const named = `case when m % 2000 = 1 then '${item}'::uuid else md5('other')::uuid end`;
  const prefix = { contactField: "'com_' || ", objectField: "'obj_' || " }[type] ?? "";
  const entry = `${prefix}(${named})`;
  const [json, columns, sql] = scalars[type] ?? [
    type === "singleSelect" ? entry : `json_build_array(${entry})`,
    "item",
    named,
  ];
  return { field, json, columns, sql };
}

/** Companies or objects of the crowd: so many of its people again, under names of their own. */
const OTHERS = 20_000;

/**
 * Makes companies or objects of people, in the same group and with the values of some of their custom fields: `fields`
 * tells which field of theirs takes the values of which.
 */
export async function follow(
  url: string,
  kind: "company" | "object",
  group: TestGroup,
  fields: { from: string; to: string }[],
  objectType: string,
): Promise<void> {
  const table = kind === "company" ? "companies" : "objects";
  const key = "md5(workspace_id::text::bytea || 'name'::bytea || '\\x00'::bytea || name::bytea)::uuid";
  const [columns, values] =
    kind === "company"
      ? [
          "name_key, description, addresses, emails, phones, urls, funding_raised",
          "sha256(name::bytea), '', '[]', '[]', '[]', '[]', n",
        ]
      : ["object_type_id, company_ids, person_ids", `'${objectType}', '{}', '{}'`];
  const [searched, search] = kind === "company" ? ["funding_raised", "n"] : ["object_type_id", `'${objectType}'`];
  const map = fields.map(({ from, to }) => `when '${from}' then '${to}'::uuid`).join(" ");
  const statements = [
    "set session_replication_role = replica",
    `create temporary table named as
     select *, 'acme' || n as name from (select *, row_number() over (order by id) as n from people) numbered where n <= ${OTHERS}`,
    `insert into ${table} (workspace_id, id, created_at, created_by, memberships, name, ${columns})
     select workspace_id, id, created_at, created_by, ${membershipsSql(bare(group.id), fields)}, name, ${values} from named r order by id`,
    `insert into ${kind}_search (workspace_id, id, created_by, folded_texts, folded_lists, text_keys, ${searched})
     select workspace_id, id, created_by, name, '', array[${key}], ${search} from named order by id`,
    `insert into ${kind}_groups (workspace_id, ${kind}_id, group_id) select workspace_id, id, '${bare(group.id)}' from ${table}`,
    `insert into ${kind}_values (workspace_id, ${kind}_id, group_id, field_id, position, item, number_value, date_value, folded_text)
     select v.workspace_id, person_id, group_id, case field_id ${map} end, v.position, item, number_value, date_value, folded_text
     from person_values v join ${table} r on r.workspace_id = v.workspace_id and r.id = v.person_id
     where field_id in (${fields.map(({ from }) => `'${from}'`).join(", ")})`,
    `vacuum analyze ${table}, ${kind}_search, ${kind}_groups, ${kind}_values`,
  ];
  const client = new pg.Client(url);
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

/** The memberships of a person in the row `r` as those of a record that has the same values in fields of its own. */
function membershipsSql(group: string, fields: { from: string; to: string }[]): string {
  const values = fields.map(({ from, to }) => `'${to}', r.memberships -> 0 -> 'values' -> '${from}'`).join(", ");
  return `json_build_array(json_build_object('groupId', '${group}', 'values', json_strip_nulls(json_build_object(${values}))))`;
}
