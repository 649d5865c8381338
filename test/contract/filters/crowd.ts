import pg from "pg";
import type { TestField, TestGroup, TestUser, TestWorkspace } from "../../support/world.ts";

/** People of the crowd; every fifth is in its group, with a value of every type of custom field. */
export const CROWD = 100_000;
/** One in so many has a value that is rare. */
const RARE = 10_000;

/** What is rare in the crowd: ten people have it. */
export interface Rarities {
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

/**
 * Fills a workspace by a few statements, as lib/filters/search-columns.ts and the custom field types would: only ASCII in
 * lower case, so that NFC and folding change nothing. Indexes are made afterwards, since that takes a fifth of the time.
 */
export async function gather(
  url: string,
  workspace: TestWorkspace,
  fields: TestField[],
  rare: Rarities,
): Promise<void> {
  const { uuid, ada } = workspace;
  // A connection of its own: those of the server give up long statements.
  const client = new pg.Client(url);
  await client.connect();
  const { rows: indexes } = await client.query<{ name: string; sql: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql from pg_index i
     where i.indrelid in ('people'::regclass, 'person_values'::regclass) and not i.indisprimary`,
  );
  const statements = [
    "set session_replication_role = replica",
    "set maintenance_work_mem = '256MB'",
    ...indexes.map(({ name }) => `drop index ${name}`),
    peopleSql(uuid, ada.uuid, rare.creator.uuid),
    `insert into person_groups select workspace_id, id, '${bare(rare.group.id)}', 0, '{}' from people where right(first_name, 1) in ('0', '5')`,
    `insert into person_companies select workspace_id, id, '${bare(rare.company)}', 0 from people where job_title = 'archivist'`,
    "insert into person_companies select workspace_id, person_id, md5(group_id::text)::uuid, 1 from person_groups",
    ...fields.map((field) => valuesSql(uuid, bare(rare.group.id), rare.fields.get(field.name) ?? "", field)),
    ...indexes.map(({ sql }) => sql),
    "vacuum analyze people, person_groups, person_companies, person_values",
  ];
  for (const sql of statements) await client.query(sql.replaceAll("RARE", String(RARE)));
  await client.end();
}

const bare = (id: string): string => id.slice(id.indexOf("_") + 1);

/** Ids are uuid v7: one every ten minutes, so that a day is a small part of them. */
function peopleSql(workspace: string, creator: string, rareCreator: string): string {
  const key = (field: string, text: string) => `md5('${field}'::bytea || '\\x00'::bytea || (${text})::bytea)::uuid`;
  const keys = TEXTS.map(([field, text]) => key(field, text));
  const folded = [false, true].map((lists) =>
    TEXTS.flatMap(([, text, list]) => (list === lists ? [text] : [])).join(" || 'F' || "),
  );
  const columns = TEXTS.map(([field, text, list]) => `${list ? `array[${text}]` : text} as ${COLUMNS[field] ?? field}`);
  return `
    insert into people (workspace_id, id, created_at, created_by, birthday, gender, ${TEXTS.map(([field]) => COLUMNS[field] ?? field).join(", ")}, text_keys, folded_texts, folded_lists)
    select '${workspace}', (substr(stamp, 1, 8) || '-' || substr(stamp, 9, 4) || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      now(), case when n % RARE = 3 then '${rareCreator}'::uuid else '${creator}'::uuid end,
      case when n % 2 = 0 then '1950-01-01'::date + n % 20000 end, case when n % RARE = 4 then 'Other' else 'Unknown' end,
      ${columns.join(", ")},
      array[${keys.join(", ")}, ${key("gender", "case when n % RARE = 4 then 'Other' else 'Unknown' end")}] || case when n % RARE = 4 then null else ${key("gender", "''")} end,
      ${folded.join(", ")}
    from (select n, lpad(to_hex(1700000000000 + n * 600000::bigint), 12, '0') as stamp from generate_series(1, ${CROWD}) n) numbered`;
}

/** The rows of one field, for everybody in the group. `item` is what a rare value names. */
function valuesSql(workspace: string, group: string, fieldAndItem: string, { type }: TestField): string {
  const [field = "", item = ""] = fieldAndItem.split(" ");
  const rows: Record<string, [column: string, value: string]> = {
    textField: ["item, folded_text", "md5('note ' || n)::uuid, 'note ' || n"],
    numericField: ["number_value", "n"],
    dateField: ["date_value", "'1900-01-01'::date + n"],
  };
  const [columns, value] = rows[type] ?? [
    "item",
    `case when n % 2000 = 1 then '${item}'::uuid else md5('other')::uuid end`,
  ];
  return `
    insert into person_values (workspace_id, person_id, group_id, field_id, position, ${columns})
    select '${workspace}', person_id, '${group}', '${field}', 0, ${value}
    from (select person_id, row_number() over (order by person_id)::int as n from person_groups where group_id = '${group}') members`;
}

/** Companies or objects of the crowd: so many of its people again, under names of their own. */
const OTHERS = 20_000;

/**
 * Makes companies or objects of people, in the same group and with the values of some of their custom fields: `fields` tells
 * which field of theirs takes the values of which.
 */
export async function follow(
  url: string,
  kind: "company" | "object",
  group: TestGroup,
  fields: { from: string; to: string }[],
  objectType: string,
): Promise<void> {
  const table = kind === "company" ? "companies" : "objects";
  const key = "md5('name'::bytea || '\\x00'::bytea || name::bytea)::uuid";
  const [columns, values] =
    kind === "company"
      ? [
          "name_key, description, addresses, emails, phones, urls, funding_raised",
          "sha256(name::bytea), '', '{}', '{}', '{}', '{}', n",
        ]
      : ["object_type_id", `'${objectType}'`];
  const map = fields.map(({ from, to }) => `when '${from}' then '${to}'::uuid`).join(" ");
  const statements = [
    "set session_replication_role = replica",
    `insert into ${table} (workspace_id, id, created_at, created_by, folded_texts, folded_lists, name, text_keys, ${columns})
     select workspace_id, id, created_at, created_by, name, '', name, array[${key}], ${values}
     from (select *, 'acme' || n as name from (select *, row_number() over (order by id) as n from people) numbered) named where n <= ${OTHERS}`,
    `insert into ${kind}_groups select workspace_id, id, '${bare(group.id)}', 0, '{}' from ${table}`,
    `insert into ${kind}_values select v.workspace_id, person_id, group_id, case field_id ${map} end, v.position, item, number_value, date_value, folded_text
     from person_values v join ${table} r on r.workspace_id = v.workspace_id and r.id = v.person_id
     where field_id in (${fields.map(({ from }) => `'${from}'`).join(", ")})`,
    `vacuum analyze ${table}, ${kind}_groups, ${kind}_values`,
  ];
  const client = new pg.Client(url);
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}
