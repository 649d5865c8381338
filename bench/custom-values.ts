/**
 * Measures four ways to store the values of custom fields; `docs/decisions/0003-custom-values.md` rests on it.
 *
 *   node_modules/.bin/node bench/custom-values.ts [--url postgresql://…] [--people 100000] [--runs 25] [--designs C2,E] [--wide]
 *
 * Creates and drops the schema `bench_custom_values` in the database it is given, or starts a PostgreSQL of its own. Prints
 * markdown. Absolute times wander on a shared machine: compare the columns of one run.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import pg from "pg";

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    people: { type: "string", default: "100000" },
    runs: { type: "string", default: "25" },
    designs: { type: "string", default: "A,B,C,C2,D,E,E2" },
    wide: { type: "boolean", default: false },
  },
});
const PEOPLE = Number(options.people);
const RUNS = Number(options.runs);
/** One filter in one design is measured for at most this long, however few runs that allows. */
const FILTER_MS_MAX = 2500;
const PAGE = 20;
const SCHEMA = "bench_custom_values";
/** Empty groups added to design D, each with as many indexes as its eight fields need. */
const MORE_GROUPS_IN_D = 8;

const FIELDS = ["text", "number", "date", "single", "multiple", "user", "contact", "object"] as const;
type Field = (typeof FIELDS)[number];
const ITEM_FIELDS = ["single", "multiple", "user", "contact", "object"] as const;

/** The same uuid as `bench_id()` in SQL. */
function id(kind: string, n: number): string {
  const hex = createHash("md5").update(`${kind}-${n}`).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
const WORKSPACE = id("workspace", 1);
const NEIGHBOUR = id("workspace", 2);
const BIG_GROUP = id("group", 1); // everyone is in it and all filters look here; every tenth person is in group 2 too
const fieldOf = (group: number, field: Field): string => id(`field-${field}`, group);
const F = Object.fromEntries(FIELDS.map((field) => [field, fieldOf(1, field)])) as Record<Field, string>;

const SYLLABLES =
  "ka ri mo ten su la bor ni ve do pri ma zu hel go sta fi lu ran pe tor ci ja wen bo kri du sel ha ne".split(" ");
/** Words are drawn with a skew: the lower the number, the commoner. */
const WORDS = 20_000;
function word(n: number): string {
  let rest = (n * 7919) % 27_000;
  let text = "";
  for (let i = 0; i < 3; i += 1) {
    text += SYLLABLES[rest % 30];
    rest = Math.floor(rest / 30);
  }
  return text;
}

type Row = Record<string, unknown>;
type Sql = { text: string; params: unknown[] };
type Client = pg.Client;

const COMMON_TABLES = (valuesOnPeople: boolean, valuesOnMembership: boolean) => `
  create table people (
    workspace_id uuid not null, id uuid not null, full_name text not null, emails jsonb not null, created_at timestamptz not null,
    ${valuesOnPeople ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, id));
  create table person_groups (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null, position smallint not null,
    ${valuesOnMembership ? `"values" jsonb not null,` : ""}
    primary key (workspace_id, person_id, group_id),
    foreign key (workspace_id, person_id) references people on delete cascade);`;

const VALUE_ROWS = (text: string) => `
  create table person_values (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null, field_id uuid not null, position smallint not null,
    ${text} text, number_value numeric, date_value date, item uuid);`;
/** Keys are added after loading, which is several times faster. */
const VALUE_ROWS_KEYS = (primaryKey: string) => [
  `alter table person_values add primary key (${primaryKey})`,
  `alter table person_values add constraint person_values_membership_fkey foreign key (workspace_id, person_id, group_id) references person_groups on delete cascade`,
];

const FILL_PEOPLE = `insert into people select workspace_id, person_id, 'Person ' || n, '["person@example.com"]', now() from source where group_number = 1`;
const FILL_MEMBERSHIPS = (values: string) => `
  insert into person_groups select workspace_id, person_id, group_id, group_number ${values} from source`;

const FIELDS_OF = (field: Field) => [fieldOf(1, field), fieldOf(2, field)];
const keyIs = (field: Field) => `v.key = any('{${FIELDS_OF(field).join()}}')`;
const TEXT = `case when ${keyIs("text")} then v.value #>> '{}' end`;
const HASH_OF_TEXT = `case when ${keyIs("text")} then md5(v.value #>> '{}')::uuid end`;

/** One row per value out of `s."values"`, a jsonb keyed by field id. */
const ROWS_OUT_OF_JSON = (from: string, text: string, itemOfText: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, position, ${text === TEXT ? "text_value" : "folded_text"}, number_value, date_value, item)
  select s.workspace_id, s.person_id, s.group_id, v.key::uuid, coalesce(i.position, 1)::smallint, ${text},
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end,
    coalesce(i.item::uuid, case when ${keyIs("single")} then (v.value #>> '{}')::uuid end, ${itemOfText})
  from ${from} cross join lateral jsonb_each(s."values") v
  left join lateral jsonb_array_elements_text(case when jsonb_typeof(v.value) = 'array' then v.value end) with ordinality i(item, position) on true`;

/** As above for the slim rows of C2: the item of a text, number or date is the hash of its text, and there is no position. */
const SLIM_ROWS = (from: string) => `
  insert into person_values (workspace_id, item, field_id, person_id, group_id, number_value, date_value, folded_text)
  select s.workspace_id, case when v.key = any('{${ITEM_FIELDS.flatMap(FIELDS_OF).join()}}') then i.item::uuid else md5(i.item)::uuid end, v.key::uuid, s.person_id, s.group_id,
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end, lower(${TEXT})
  from ${from} cross join lateral jsonb_each(s."values") v
  cross join lateral jsonb_array_elements_text(case when jsonb_typeof(v.value) = 'array' then v.value else jsonb_build_array(v.value) end) i(item)`;

/** As above for E: only text, number and date. */
const ORDERED_ROWS = (from: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, number_value, date_value, folded_text)
  select s.workspace_id, s.person_id, s.group_id, v.key::uuid,
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end, lower(${TEXT})
  from ${from} cross join lateral jsonb_each(s."values") v
  where v.key = any('{${(["text", "number", "date"] as const).flatMap(FIELDS_OF).join()}}')`;

type Filter = { name: string; field: Field; operator: string; value: unknown };
type Design = {
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

const NEW_PEOPLE = `jsonb_to_recordset($1::jsonb) as s(workspace_id uuid, person_id uuid, group_id uuid, "values" jsonb)`;
const INSERT_PEOPLE = `insert into people (workspace_id, id, full_name, emails, created_at) select workspace_id, person_id, 'New', '[]', now() from ${NEW_PEOPLE}`;
const CONTACT_FIELDS = FIELDS_OF("contact");

/** What a filter asks of a jsonb, `at` being the expression of the jsonb that holds the field. */
function jsonCondition(filter: Filter, at: string, containable: boolean): Sql {
  const field = F[filter.field];
  const text = `${at} ->> '${field}'`;
  const has = `${at} ? '${field}'`;
  const contains = (value: unknown, n: number): Sql =>
    containable
      ? { text: `${at} @> $${n}::jsonb`, params: [JSON.stringify({ [field]: value })] }
      : { text: `(${at} -> '${field}') @> $${n}::jsonb`, params: [JSON.stringify(value)] };
  const list = filter.value as string[];
  switch (filter.operator) {
    case "eq":
      if (containable) return contains(filter.value, 2);
      if (filter.field === "text")
        return { text: `${has} and md5(${text}) = md5($2::text) and ${text} = $2::text`, params: [filter.value] };
      return { text: `${has} and (${text})::numeric = $2::numeric`, params: [filter.value] };
    case "like":
      return { text: `${has} and lower(${text}) like $2`, params: [`%${filter.value}%`] };
    case "gt":
      return { text: `${has} and (${text})::numeric > $2::numeric`, params: [filter.value] };
    case "lt":
      return { text: `${has} and ${text} < $2::text`, params: [filter.value] };
    case "in": {
      if (!containable && filter.field === "single")
        return { text: `${has} and ${text} = any($2::text[])`, params: [list] };
      const parts = list.map((item, n) => contains(filter.field === "single" ? item : [item], n + 2));
      return {
        text: `${has} and (${parts.map((part) => part.text).join(" or ")})`,
        params: parts.flatMap((part) => part.params),
      };
    }
    case "all": {
      const part = contains(list, 2);
      return {
        text: `${has} and ${part.text} and jsonb_array_length(${at} -> '${field}') = ${list.length}`,
        params: part.params,
      };
    }
    default:
      return { text: has, params: [] };
  }
}

const inMembership = (condition: string) =>
  `exists (select 1 from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id and m.group_id = '${BIG_GROUP}' and ${condition})`;

/** What a filter asks of the typed rows. */
function rowCondition(filter: Filter, typed: { eqText: string; like: string; all: "rows" | "json" }): Sql {
  const rows = (condition: string) =>
    `p.id in (select v.person_id from person_values v where v.workspace_id = $1 and v.field_id = '${F[filter.field]}' and ${condition})`;
  const list = filter.value as string[];
  switch (filter.operator) {
    case "eq":
      return {
        text: rows(filter.field === "text" ? typed.eqText : "v.number_value = $2::numeric"),
        params: [filter.value],
      };
    case "like":
      return { text: rows(typed.like), params: [`%${filter.value}%`] };
    case "gt":
      return { text: rows("v.number_value > $2::numeric"), params: [filter.value] };
    case "lt":
      return { text: rows("v.date_value < $2::date"), params: [filter.value] };
    case "in":
      return { text: rows("v.item = any($2::uuid[])"), params: [list] };
    case "all": {
      if (typed.all === "json") {
        const whole = jsonCondition(filter, `m."values"`, true);
        return {
          text: `p.id in (select v.person_id from person_values v
            join person_groups m on m.workspace_id = v.workspace_id and m.person_id = v.person_id and m.group_id = v.group_id
            where v.workspace_id = $1 and v.field_id = '${F[filter.field]}' and v.item = $2::uuid and ${whole.text.replace("$2", "$3")})`,
          params: [list[0], ...whole.params],
        };
      }
      const first = rows("v.item = $2::uuid");
      return {
        text: `${first} and (select count(*) = ${list.length} and count(*) filter (where v.item = any($3::uuid[])) = ${list.length} from person_values v
          where v.workspace_id = p.workspace_id and v.person_id = p.id and v.group_id = '${BIG_GROUP}' and v.field_id = '${F[filter.field]}')`,
        params: [list[0], list],
      };
    }
    default: {
      const has =
        typed.all === "json"
          ? inMembership(`m."values" ? '${F[filter.field]}'`)
          : `exists (select 1 from person_values v where v.workspace_id = p.workspace_id and v.person_id = p.id and v.group_id = '${BIG_GROUP}' and v.field_id = '${F[filter.field]}')`;
      return { text: has, params: [] };
    }
  }
}

const negated =
  (condition: (filter: Filter) => Sql) =>
  (filter: Filter): Sql => {
    const positive = condition(filter);
    return filter.operator === "empty" ? { text: `not (${positive.text})`, params: [] } : positive;
  };

const RECORD_WITH_MEMBERSHIP = `(select jsonb_object_agg(m.group_id, m."values") from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id) as "values"`;

const TYPED_ROW_UPSERT = (column: string, value: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, position, ${column}) values ($1, $2, '${BIG_GROUP}', $3, 1, ${value})
  on conflict (workspace_id, person_id, group_id, field_id, position) do update set ${column} = excluded.${column}`;

const A: Design = {
  key: "A",
  title: "jsonb on the membership, GIN",
  create: COMMON_TABLES(false, true),
  fill: [
    { text: FILL_PEOPLE, params: [] },
    { text: FILL_MEMBERSHIPS(`, "values"`), params: [] },
  ],
  indexes: [`create index person_groups_values on person_groups using gin ("values" jsonb_path_ops)`],
  condition: negated((filter) => {
    const inner = jsonCondition(filter, `m."values"`, true);
    return { text: inMembership(inner.text), params: inner.params };
  }),
  record: RECORD_WITH_MEMBERSHIP,
  insert: [
    { text: INSERT_PEOPLE, params: [] },
    {
      text: `insert into person_groups select workspace_id, person_id, group_id, 1, "values" from ${NEW_PEOPLE}`,
      params: [],
    },
  ],
  update: (field, person, value) => [
    {
      text: `update person_groups set "values" = "values" || jsonb_build_object($3::text, $4::numeric) where workspace_id = $1 and person_id = $2 and group_id = '${BIG_GROUP}'`,
      params: [WORKSPACE, person, field, value],
    },
  ],
  removeGroup: (people) => [
    {
      text: `delete from person_groups where workspace_id = $1 and group_id = $2 and person_id = any($3)`,
      params: [WORKSPACE, BIG_GROUP, people],
    },
  ],
  forget: (person) => [
    ...CONTACT_FIELDS.map((field) => ({
      text: `update person_groups set "values" = case when jsonb_array_length("values" -> $2) = 1 then "values" - $2 else jsonb_set("values", array[$2], ("values" -> $2) - $3) end
        where workspace_id = $1 and "values" @> jsonb_build_object($2::text, jsonb_build_array($3::text))`,
      params: [WORKSPACE, field, person],
    })),
    { text: `delete from people where workspace_id = $1 and id = $2`, params: [WORKSPACE, person] },
  ],
};

const B: Design = {
  key: "B",
  title: "rows only",
  create: COMMON_TABLES(false, false) + VALUE_ROWS("text_value"),
  fill: [
    { text: FILL_PEOPLE, params: [] },
    { text: FILL_MEMBERSHIPS(""), params: [] },
    { text: ROWS_OUT_OF_JSON("source s", TEXT, "null"), params: [] },
  ],
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id, position"),
    `create index person_values_text on person_values (workspace_id, field_id, text_value, person_id) where text_value is not null`,
    `create index person_values_number on person_values (workspace_id, field_id, number_value, person_id) where number_value is not null`,
    `create index person_values_date on person_values (workspace_id, field_id, date_value, person_id) where date_value is not null`,
    `create index person_values_item on person_values (workspace_id, field_id, item, person_id) where item is not null`,
  ],
  condition: negated((filter) =>
    rowCondition(filter, { eqText: "v.text_value = $2::text", like: "lower(v.text_value) like $2", all: "rows" }),
  ),
  record: `(select jsonb_object_agg(g.group_id, g.fields) from (
      select f.group_id, jsonb_object_agg(f.field_id, f.value) as fields from (
        select v.group_id, v.field_id, case when count(v.item) > 0 then jsonb_agg(v.item order by v.position)
          else coalesce(to_jsonb(min(v.text_value)), to_jsonb(min(v.number_value)), to_jsonb(min(v.date_value))) end as value
        from person_values v where v.workspace_id = p.workspace_id and v.person_id = p.id group by v.group_id, v.field_id) f
      group by f.group_id) g) as "values"`,
  insert: [
    { text: INSERT_PEOPLE, params: [] },
    { text: `insert into person_groups select workspace_id, person_id, group_id, 1 from ${NEW_PEOPLE}`, params: [] },
    { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, TEXT, "null"), params: [] },
  ],
  update: (field, person, value) => [
    { text: TYPED_ROW_UPSERT("number_value", "$4"), params: [WORKSPACE, person, field, value] },
  ],
  removeGroup: A.removeGroup,
  forget: (person) => [
    {
      text: `delete from person_values where workspace_id = $1 and field_id = any($2) and item = $3`,
      params: [WORKSPACE, CONTACT_FIELDS, person],
    },
    { text: `delete from people where workspace_id = $1 and id = $2`, params: [WORKSPACE, person] },
  ],
};

const FOLDED_TEXT = `lower(${TEXT})`;

const TYPED_INDEXES = [
  `create index person_values_number on person_values (workspace_id, field_id, number_value, person_id) where number_value is not null`,
  `create index person_values_date on person_values (workspace_id, field_id, date_value, person_id) where date_value is not null`,
  `create index person_values_folded_text on person_values using gin (workspace_id, field_id, folded_text gin_trgm_ops) where folded_text is not null`,
];

const C: Design = {
  key: "C",
  title: "jsonb on the membership, typed rows for filters",
  create: COMMON_TABLES(false, true) + VALUE_ROWS("folded_text"),
  fill: [...A.fill, { text: ROWS_OUT_OF_JSON("source s", FOLDED_TEXT, HASH_OF_TEXT), params: [] }],
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id, position"),
    `create index person_values_item on person_values (workspace_id, item, field_id, person_id) where item is not null`,
    ...TYPED_INDEXES,
  ],
  condition: negated((filter) =>
    rowCondition(filter, { eqText: "v.item = md5($2::text)::uuid", like: "v.folded_text like $2", all: "json" }),
  ),
  record: RECORD_WITH_MEMBERSHIP,
  insert: [...A.insert, { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, FOLDED_TEXT, HASH_OF_TEXT), params: [] }],
  update: (field, person, value) => [...A.update(field, person, value), ...B.update(field, person, value)],
  removeGroup: A.removeGroup,
  forget: (person) => [
    {
      text: `with gone as (delete from person_values where workspace_id = $1 and item = $2 returning person_id, group_id, field_id::text as field)
        update person_groups m set "values" = case when jsonb_array_length(m."values" -> field) = 1 then m."values" - field else jsonb_set(m."values", array[field], (m."values" -> field) - $2::text) end
        from gone where m.workspace_id = $1 and m.person_id = gone.person_id and m.group_id = gone.group_id`,
      params: [WORKSPACE, person],
    },
    { text: `delete from people where workspace_id = $1 and id = $2`, params: [WORKSPACE, person] },
  ],
};

/** Slim C: every row has an `item` (for text, number and date a hash), so that one index is primary key, equality and reference look-up. */
const C_SLIM: Design = {
  ...C,
  key: "C2",
  title: "C with slim rows",
  create: `${COMMON_TABLES(false, true)}
    create table person_values (
      workspace_id uuid not null, item uuid not null, field_id uuid not null, person_id uuid not null, group_id uuid not null,
      number_value numeric, date_value date, folded_text text);`,
  fill: [...A.fill, { text: SLIM_ROWS("source s"), params: [] }],
  // Under three letters there is no trigram: strpos keeps the planner from reading the whole trigram index.
  condition: (filter) =>
    filter.operator === "like" && String(filter.value).length < 3
      ? {
          ...rowCondition(filter, {
            eqText: "",
            like: "strpos(v.folded_text, $2) > 0 and v.folded_text is not null",
            all: "json",
          }),
          params: [filter.value],
        }
      : C.condition(filter),
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, item, field_id, person_id"),
    `create index person_values_membership on person_values (workspace_id, person_id, group_id)`,
    ...TYPED_INDEXES,
  ],
  insert: [...A.insert, { text: SLIM_ROWS(NEW_PEOPLE), params: [] }],
  update: (field, person, value) => [
    ...A.update(field, person, value),
    {
      text: `delete from person_values where workspace_id = $1 and person_id = $2 and group_id = '${BIG_GROUP}' and field_id = $3`,
      params: [WORKSPACE, person, field],
    },
    {
      text: `insert into person_values (workspace_id, item, field_id, person_id, group_id, number_value) values ($1, md5($4::numeric::text)::uuid, $3, $2, '${BIG_GROUP}', $4)`,
      params: [WORKSPACE, person, field, value],
    },
  ],
};

/** GIN on the jsonb answers equality and references; rows exist only for what it cannot order or search: text, number, date. */
const E: Design = {
  ...C,
  key: "E",
  title: "jsonb on the membership with GIN, rows for text, number and date only",
  create: `${COMMON_TABLES(false, true)}
    create table person_values (
      workspace_id uuid not null, person_id uuid not null, group_id uuid not null, field_id uuid not null,
      number_value numeric, date_value date, folded_text text);`,
  fill: [...A.fill, { text: ORDERED_ROWS("source s"), params: [] }],
  indexes: [...A.indexes, ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id"), ...TYPED_INDEXES],
  condition: (filter) =>
    (filter.field !== "text" && ["gt", "lt"].includes(filter.operator)
      ? C
      : filter.operator === "like"
        ? C
        : A
    ).condition(filter),
  insert: [...A.insert, { text: ORDERED_ROWS(NEW_PEOPLE), params: [] }],
  update: (field, person, value) => [
    ...A.update(field, person, value),
    {
      text: `insert into person_values (workspace_id, person_id, group_id, field_id, number_value) values ($1, $2, '${BIG_GROUP}', $3, $4)
        on conflict (workspace_id, person_id, group_id, field_id) do update set number_value = excluded.number_value`,
      params: [WORKSPACE, person, field, value],
    },
  ],
  forget: A.forget,
};

/** The rule "workspace_id leads every index" kept in E. */
const E_BY_WORKSPACE: Design = {
  ...E,
  key: "E2",
  title: "E with workspace_id leading the GIN",
  indexes: [
    `create index person_groups_values on person_groups using gin (workspace_id, "values" jsonb_path_ops)`,
    ...E.indexes.slice(1),
  ],
};

/** The indexes that the eight fields of one group need in design D. */
function indexesPerField(group: number): string[] {
  const where = (field: Field) => `where "values" ? '${fieldOf(group, field)}'`;
  const text = (field: Field) => `("values" ->> '${fieldOf(group, field)}')`;
  const name = (field: string) => `people_${field}_${group}`;
  return [
    `create index ${name("text")} on people (workspace_id, md5(${text("text")}), id) ${where("text")}`,
    `create index ${name("text_like")} on people using gin (workspace_id, lower(${text("text")}) gin_trgm_ops) ${where("text")}`,
    `create index ${name("number")} on people (workspace_id, (${text("number")}::numeric), id) ${where("number")}`,
    `create index ${name("date")} on people (workspace_id, ${text("date")}, id) ${where("date")}`,
    `create index ${name("single")} on people (workspace_id, ${text("single")}, id) ${where("single")}`,
    ...(["multiple", "user", "contact", "object"] as const).map(
      (field) =>
        `create index ${name(field)} on people using gin (("values" -> '${fieldOf(group, field)}') jsonb_path_ops) ${where(field)}`,
    ),
  ];
}

const D: Design = {
  key: "D",
  title: "jsonb on the record, an index per field",
  create: COMMON_TABLES(true, false),
  fill: [
    {
      text: `insert into people select workspace_id, person_id, 'Person ' || min(n), '["person@example.com"]', now(), jsonb_object_agg(v.key, v.value)
        from source cross join lateral jsonb_each("values") v group by workspace_id, person_id order by 1, 2`,
      params: [],
    },
    { text: FILL_MEMBERSHIPS(""), params: [] },
  ],
  indexes: [...indexesPerField(1), ...indexesPerField(2)],
  condition: negated((filter) => jsonCondition(filter, `p."values"`, false)),
  record: `p."values" as "values", (select jsonb_agg(m.group_id order by m.position) from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id) as groups`,
  insert: [
    {
      text: `insert into people (workspace_id, id, full_name, emails, created_at, "values") select workspace_id, person_id, 'New', '[]', now(), "values" from ${NEW_PEOPLE}`,
      params: [],
    },
    { text: `insert into person_groups select workspace_id, person_id, group_id, 1 from ${NEW_PEOPLE}`, params: [] },
  ],
  update: (field, person, value) => [
    {
      text: `update people set "values" = "values" || jsonb_build_object($3::text, $4::numeric) where workspace_id = $1 and id = $2`,
      params: [WORKSPACE, person, field, value],
    },
  ],
  removeGroup: (people) => [
    ...A.removeGroup(people),
    {
      text: `update people set "values" = "values" - $3::text[] where workspace_id = $1 and id = any($2)`,
      params: [WORKSPACE, people, Object.values(F)],
    },
  ],
  forget: (person) => [
    ...CONTACT_FIELDS.map((field) => ({
      text: `update people set "values" = case when jsonb_array_length("values" -> '${field}') = 1 then "values" - '${field}' else jsonb_set("values", array['${field}'], ("values" -> '${field}') - $2) end
        where workspace_id = $1 and "values" ? '${field}' and ("values" -> '${field}') @> jsonb_build_array($2::text)`,
      params: [WORKSPACE, person],
    })),
    { text: `delete from people where workspace_id = $1 and id = $2`, params: [WORKSPACE, person] },
  ],
};

const FILTERS: Filter[] = [
  { name: "text eq (1 match)", field: "text", operator: "eq", value: "" },
  { name: "text like, rare word", field: "text", operator: "like", value: word(WORDS - 10) },
  { name: "text like, common word", field: "text", operator: "like", value: word(0) },
  { name: "text like, 2 letters, no match", field: "text", operator: "like", value: "qx" },
  { name: "number gt, 0.01 %", field: "number", operator: "gt", value: 999_900 },
  { name: "number gt, half", field: "number", operator: "gt", value: 500_000 },
  { name: "date lt, 0.1 %", field: "date", operator: "lt", value: "1990-01-10" },
  { name: "single in, 2 of 10 options", field: "single", operator: "in", value: [id("option", 2), id("option", 3)] },
  {
    name: "multiple all = 3 labels",
    field: "multiple",
    operator: "all",
    value: [id("option", 4), id("option", 11), id("option", 18)],
  },
  { name: "user in, 1 of 50", field: "user", operator: "in", value: [id("user", 7)] },
  { name: "contact in (few matches)", field: "contact", operator: "in", value: [] },
  { name: "text empty, 10 %", field: "text", operator: "empty", value: null },
  { name: "number empty, 0.01 %", field: "number", operator: "empty", value: null },
  { name: "text not_empty", field: "text", operator: "not_empty", value: null },
  { name: "number eq, no match", field: "number", operator: "eq", value: "500000.005" },
  { name: "single in, no match", field: "single", operator: "in", value: [id("option", 99)] },
];

const COLUMNS = [A, B, C, C_SLIM, D, E, E_BY_WORKSPACE].filter(({ key }) => options.designs.split(",").includes(key));
/** Row name → design → cell; printed as one markdown table per chapter. */
type Table = Map<string, Map<string, string>>;
const chapters = new Map<string, Table>();

async function main(): Promise<void> {
  const server = options.url ? { url: options.url, stop: async () => {} } : await startServer();
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const version = await client.query("show server_version");
    console.log(`PostgreSQL ${version.rows[0].server_version}, ${PEOPLE} people, ${RUNS} runs\n`);
    await prepare(client);
    const expected = new Map<string, string>();
    for (const design of COLUMNS) await measure(client, design, expected);
    for (const [title, table] of chapters)
      print(
        title,
        table,
        COLUMNS.map((design) => design.key),
      );
    await client.query(`drop schema ${SCHEMA} cascade`);
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Fills `source`, from which every design is loaded, so that all hold the same values. */
async function prepare(client: Client): Promise<void> {
  await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}; set search_path = ${SCHEMA}, public; set client_min_messages = warning;
    create extension if not exists pg_trgm; create extension if not exists btree_gin;
    create function bench_id(kind text, n bigint) returns uuid language sql immutable as $$ select md5(kind || '-' || n)::uuid $$;
    create function person_id(n bigint) returns uuid language sql immutable as
      $$ select (lpad(to_hex(1760000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid $$;
    create table words (n int primary key, word text not null);
    create table source (workspace_id uuid, person_id uuid, group_id uuid, group_number int, n int, "values" jsonb);
    select setseed(0.42);`);
  await client.query("insert into words select n - 1, word from unnest($1::text[]) with ordinality w(word, n)", [
    Array.from({ length: WORDS }, (_, n) => word(n)),
  ]);
  await client.query("analyze words");
  await fillSource(client, WORKSPACE, 1, 1, PEOPLE, 1);
  await fillSource(client, WORKSPACE, 2, 1, PEOPLE, 10);
  await fillSource(client, NEIGHBOUR, 1, PEOPLE + 1, PEOPLE + Math.ceil(PEOPLE / 5), 1);
  await client.query(`create index on source (person_id); analyze source`);
  const sample = await client.query(
    `select max("values" ->> $1) filter (where n >= $2) as text, max("values" -> $3 ->> 0) filter (where n <= $2) as contact from source
     where workspace_id = $4 and group_number = 1 and n between $2 - 20 and $2 + 20`,
    [F.text, Math.round(PEOPLE * 0.6), F.contact, WORKSPACE],
  );
  for (const filter of FILTERS) {
    if (filter.operator === "eq" && filter.field === "text") filter.value = sample.rows[0].text;
    if (filter.field === "contact") filter.value = [sample.rows[0].contact];
  }
}

/** Every `step`th person from `first` to `last` becomes a member of the group, with values for its eight fields. */
async function fillSource(
  client: Client,
  workspace: string,
  group: number,
  first: number,
  last: number,
  step: number,
): Promise<void> {
  const items = (kind: string, start: string, count: string, stride: number, of: string) =>
    `(select jsonb_agg(bench_id('${kind}', ((${start})::int + j * ${stride}) % (${of})) order by j) from generate_series(0, (${count})::int - 1) j)`;
  const fields: Record<Field, string> = {
    text: `case when r[1] < 0.9 then (select string_agg(w.word, ' ' order by k) from generate_series(2, 7) k join words w on w.n = floor(r[k] * r[k] * ${WORDS})::int) || ' ' || n end`,
    number: `case when n % 10000 <> 9999 then round(r[8]::numeric * 1000000, 2) end`,
    date: `case when r[9] < 0.9 then to_char(date '1990-01-01' + (r[10] * 13000)::int, 'YYYY-MM-DD') end`,
    single: `case when r[11] < 0.9 then bench_id('option', (r[12] * 9)::int) end`,
    multiple: `case when r[13] < 0.9 then ${items("option", "floor(r[14] * 20)", "floor(r[15] * 3) + 1", 7, "20")} end`,
    user: `case when r[16] < 0.9 then ${items("user", "floor(r[17] * 50)", "floor(r[18] * 2) + 1", 9, "50")} end`,
    contact: `case when r[19] < 0.9 then (select jsonb_agg(person_id(1 + ((floor(r[20] * ${PEOPLE}))::int + j * 77) % ${PEOPLE}) order by j) from generate_series(0, floor(r[21] * 2)::int) j) end`,
    object: `case when r[22] < 0.9 then ${items("object", "floor(r[23] * 5000)", "floor(r[24] * 2) + 1", 13, "5000")} end`,
  };
  const pairs = FIELDS.map((field) => `'${fieldOf(group, field)}', ${fields[field]}`);
  // Values wider than 1 kB leave the planner without statistics on the jsonb.
  if (options.wide)
    pairs.push(
      `'${id("field-note", group)}', (select string_agg(md5(n::text || k), ' ') from generate_series(1, 40) k)`,
    );
  await client.query(
    `insert into source select '${workspace}', person_id(n), '${id("group", group)}', ${group}, n, jsonb_strip_nulls(jsonb_build_object(${pairs.join()}))
     from (select n, array(select random() from generate_series(1, 24) where n > 0) as r from generate_series($1::int, $2::int, $3::int) n) people order by n`,
    [first, last, step],
  );
}

/** Loads one design, measures it and drops it; `expected` holds the page each filter found in the first design. */
async function measure(client: Client, design: Design, expected: Map<string, string>): Promise<void> {
  const started = performance.now();
  await client.query(design.create);
  for (const statement of design.fill) await client.query(statement.text, statement.params);
  await client.query(`create index person_groups_group on person_groups (workspace_id, group_id, person_id)`);
  for (const index of design.indexes) await client.query(index);
  await client.query("vacuum analyze people");
  await client.query("vacuum analyze person_groups");
  if (design.create.includes("person_values")) await client.query("vacuum analyze person_values");
  console.error(`${design.key}: loaded in ${Math.round(performance.now() - started)} ms`);

  await measureSize(client, design);
  await measureReads(client, design);
  await measureFilters(client, design, expected);
  if (design === C_SLIM) await studyIndexes(client);
  await measureWrites(client, design);
  await measureUnvacuumed(client, design);
  if (design === D) {
    for (let group = 3; group < 3 + MORE_GROUPS_IN_D; group += 1)
      for (const index of indexesPerField(group)) await client.query(index);
    cell(
      "Writes",
      `insert 100 people, ${2 + MORE_GROUPS_IN_D} groups of fields, ms`,
      "D",
      await timeInsert(client, design, RUNS),
    );
  }
  await client.query("drop table if exists person_values; drop table person_groups; drop table people");
  console.error(`${design.key}: done in ${Math.round(performance.now() - started)} ms`);
}

async function measureSize(client: Client, design: Design): Promise<void> {
  const sizes = await client.query(
    `select c.relname, case when c.relkind = 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end::bigint as bytes, c.relkind
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'i') and c.relname ~ '^(people|person_)' order by 1`,
    [SCHEMA],
  );
  const megabytes = (kind: string) =>
    mb(sizes.rows.filter((row) => row.relkind === kind).reduce((sum, row) => sum + Number(row.bytes), 0));
  cell("Size", "tables, MB", design.key, megabytes("r"));
  cell("Size", "indexes, MB", design.key, megabytes("i"));
  if (design.create.includes("person_values")) {
    for (const row of sizes.rows)
      if (row.relname.startsWith("person_values"))
        cell("Size of the typed rows, MB", row.relname, design.key, mb(Number(row.bytes)));
    const count = await client.query("select count(*) from person_values");
    cell("Size", "typed rows", design.key, count.rows[0].count);
  }
}

async function measureReads(client: Client, design: Design): Promise<void> {
  for (const count of [1, 20, 100]) {
    const text = `select p.workspace_id, p.id, p.full_name, p.emails, p.created_at, ${design.record} from people p where p.workspace_id = $1 and p.id > $2 order by p.id limit ${count}`;
    const times = await repeat(RUNS * 2, async (run) => {
      await client.query({
        name: `read-${design.key}-${count}`,
        text,
        values: [WORKSPACE, personId(1 + ((run * 7919) % (PEOPLE - 200)))],
      });
    });
    cell("Reads", `${count} record${count === 1 ? "" : "s"}, ms`, design.key, times);
  }
}

async function measureFilters(client: Client, design: Design, expected: Map<string, string>): Promise<void> {
  for (const filter of FILTERS) {
    const condition = design.condition(filter);
    const text = `select p.id from people p where p.workspace_id = $1 and ${condition.text} order by p.id limit ${PAGE}`;
    const values = [WORKSPACE, ...condition.params];
    const plan = await client.query({ text: `explain (format json) ${text}`, values });
    cell("Filters: plan", filter.name, design.key, scans(plan.rows[0]["QUERY PLAN"][0].Plan).join(", "));
    let found = "";
    const times = await repeat(RUNS, async () => {
      const page = await client.query({ text, values });
      found = page.rows.map((row) => row.id).join();
    });
    const wanted = expected.get(filter.name) ?? found;
    expected.set(filter.name, wanted);
    if (found !== wanted)
      throw new Error(
        `"${filter.name}" finds other people in design ${design.key}: ${found.slice(0, 80)} instead of ${wanted.slice(0, 80)}`,
      );
    cell("Filters, median / p95 ms", filter.name, design.key, times);
  }
}

/** The same filters with the writes not yet vacuumed: a GIN has them in its pending list, which every search reads. */
async function measureUnvacuumed(client: Client, design: Design): Promise<void> {
  for (const filter of FILTERS.filter(({ name }) =>
    /^(text eq|text like, rare|user in|contact in|number gt, 0)/.test(name),
  )) {
    const condition = design.condition(filter);
    const text = `select p.id from people p where p.workspace_id = $1 and ${condition.text} order by p.id limit ${PAGE}`;
    const times = await repeat(RUNS, async () => {
      await client.query({ text, values: [WORKSPACE, ...condition.params] });
    });
    cell("Filters right after the writes", filter.name, design.key, times);
  }
}

async function measureWrites(client: Client, design: Design): Promise<void> {
  const before = await walBytes(client);
  const inserts = await timeInsert(client, design, RUNS);
  cell("Writes", `insert 100 people, ms`, design.key, inserts);
  cell(
    "Writes",
    `insert 100 people, kB of WAL`,
    design.key,
    String(Math.round((Number(await walBytes(client)) - Number(before)) / 1024 / RUNS)),
  );

  const beforeUpdate = await walBytes(client);
  const updates = await repeat(RUNS * 8, (run) =>
    transaction(client, design.update(F.number, personId(1 + ((run * 7919) % PEOPLE)), run), "commit"),
  );
  cell("Writes", "update one value, ms", design.key, updates);
  cell(
    "Writes",
    "update one value, bytes of WAL",
    design.key,
    String(Math.round((Number(await walBytes(client)) - Number(beforeUpdate)) / (RUNS * 8))),
  );

  const removals = await repeat(5, (run) =>
    transaction(
      client,
      design.removeGroup(Array.from({ length: 1000 }, (_, n) => personId(1 + run * 1000 + n))),
      "rollback",
    ),
  );
  cell("Writes", "group off 1,000 people, ms", design.key, removals);
  const referenced = await client.query(
    `select distinct "values" -> $1 ->> 0 as person from source where workspace_id = $2 and n between 500 and 520 and "values" ? $1 limit 10`,
    [F.contact, WORKSPACE],
  );
  const deletes = await repeat(referenced.rows.length, (run) =>
    transaction(client, design.forget(referenced.rows[run].person), "rollback"),
  );
  cell("Writes", "delete a referenced person, ms", design.key, deletes);

  // 5,000 characters that hardly compress: more than a btree entry may hold (2,704 bytes).
  const long = Array.from({ length: 160 }, (_, n) =>
    createHash("md5").update(String(n)).digest("hex").slice(0, 31),
  ).join(" ");
  const person = [
    {
      workspace_id: WORKSPACE,
      person_id: id("long", 1),
      group_id: BIG_GROUP,
      values: { [F.text]: long.slice(0, 5000) },
    },
  ];
  try {
    await transaction(
      client,
      design.insert.map((sql) => ({ text: sql.text, params: [JSON.stringify(person)] })),
      "rollback",
    );
    cell("Writes", "text of 5,000 characters", design.key, "stored");
  } catch (error) {
    await client.query("rollback");
    cell("Writes", "text of 5,000 characters", design.key, `fails: ${(error as Error).message.slice(0, 40)}`);
  }
}

let insertedBatches = 0;
/** Inserts `runs` batches of 100 new people with eight values each, one transaction per batch. */
async function timeInsert(client: Client, design: Design, runs: number): Promise<string> {
  const template = await client.query(
    `select "values" from source where group_number = 1 and workspace_id = $1 order by n limit 100`,
    [WORKSPACE],
  );
  return repeat(runs, async () => {
    insertedBatches += 1;
    const people = template.rows.map((row, n) => ({
      workspace_id: WORKSPACE,
      person_id: personId(2_000_000 + insertedBatches * 100 + n),
      group_id: BIG_GROUP,
      values: row.values,
    }));
    const body = JSON.stringify(people);
    await transaction(
      client,
      design.insert.map((sql) => ({ text: sql.text, params: [body] })),
      "commit",
    );
  });
}

type Study = { label: string; filter: string; params: unknown[]; index?: string; drop?: string };
/** What each index of the typed rows of C2 brings: the time of the filter that it serves, with it, without it, and with its rivals. */
async function studyIndexes(client: Client): Promise<void> {
  const like = { filter: `v.field_id = '${F.text}' and v.folded_text like $2`, params: [`%${word(WORDS - 10)}%`] };
  const eq = [FILTERS[0]?.value];
  const user = { filter: `v.field_id = '${F.user}' and v.item = $2::uuid`, params: [id("user", 7)] };
  const number = { filter: `v.field_id = '${F.number}' and v.number_value > $2::numeric`, params: [999_900] };
  const date = { filter: `v.field_id = '${F.date}' and v.date_value < $2::date`, params: ["1990-01-10"] };
  const studies: Study[] = [
    { label: "like: none", drop: "person_values_folded_text", ...like },
    {
      label: "like: btree (workspace_id, field_id), the field's texts are read",
      drop: "person_values_folded_text",
      index: "(workspace_id, field_id) where folded_text is not null",
      ...like,
    },
    {
      label: "like: gin (folded_text gin_trgm_ops)",
      drop: "person_values_folded_text",
      index: "using gin (folded_text gin_trgm_ops) where folded_text is not null",
      ...like,
    },
    {
      label: "like: gin (workspace_id, field_id, folded_text gin_trgm_ops)",
      drop: "person_values_folded_text",
      index: "using gin (workspace_id, field_id, folded_text gin_trgm_ops) where folded_text is not null",
      ...like,
    },
    {
      label: "eq: none of its own, item = md5(text)::uuid",
      filter: `v.field_id = '${F.text}' and v.item = md5($2::text)::uuid`,
      params: eq,
    },
    {
      label: "eq: btree (workspace_id, field_id, md5(folded_text), person_id)",
      index: "(workspace_id, field_id, md5(folded_text), person_id) where folded_text is not null",
      filter: `v.field_id = '${F.text}' and md5(v.folded_text) = md5($2::text) and v.folded_text is not null`,
      params: eq,
    },
    {
      label: "eq: btree (workspace_id, field_id, folded_text, person_id), breaks above 2,704 bytes",
      index: "(workspace_id, field_id, folded_text, person_id) where folded_text is not null",
      filter: `v.field_id = '${F.text}' and v.folded_text = $2::text`,
      params: eq,
    },
    { label: "in: primary key (workspace_id, item, field_id, person_id)", ...user },
    {
      label: "in: btree (workspace_id, field_id, item, person_id) besides",
      index: "(workspace_id, field_id, item, person_id)",
      ...user,
    },
    { label: "number: none", drop: "person_values_number", ...number },
    {
      label: "number: btree (workspace_id, field_id, number_value, person_id)",
      drop: "person_values_number",
      index: "(workspace_id, field_id, number_value, person_id) where number_value is not null",
      ...number,
    },
    { label: "date: none", drop: "person_values_date", ...date },
    {
      label: "date: btree (workspace_id, field_id, date_value, person_id)",
      drop: "person_values_date",
      index: "(workspace_id, field_id, date_value, person_id) where date_value is not null",
      ...date,
    },
  ];
  console.log("### Indexes on the typed rows of C2\n\n| index | MB | filter, median / p95 ms |\n|---|---|---|");
  for (const study of studies) {
    await client.query("begin");
    if (study.drop) await client.query(`drop index ${study.drop}`);
    if (study.index) await client.query(`create index study on person_values ${study.index}`);
    const size = study.index
      ? mb(Number((await client.query("select pg_relation_size('study') as bytes")).rows[0].bytes))
      : "";
    const text = `select v.person_id from person_values v where v.workspace_id = $1 and ${study.filter} order by v.person_id limit ${PAGE}`;
    const times = await repeat(Math.min(RUNS, 15), async () => {
      await client.query({ text, values: [WORKSPACE, ...study.params] });
    });
    await client.query("rollback");
    console.log(`| ${study.label} | ${size} | ${times} |`);
  }

  console.log(
    "\n### What the keys and indexes of C2 cost\n\n| typed rows with | insert 100 people, ms | group off 1,000 people, ms |\n|---|---|---|",
  );
  const cost = async (label: string, change: string): Promise<void> => {
    await client.query(change);
    const people = (run: number) => Array.from({ length: 1000 }, (_, n) => personId(20_001 + run * 1000 + n));
    const removal = await repeat(5, (run) => transaction(client, C_SLIM.removeGroup(people(run)), "rollback"));
    console.log(`| ${label} | ${await timeInsert(client, C_SLIM, RUNS)} | ${removal} |`);
  };
  await cost("all", "select 1");
  await cost(
    "a trigger per statement instead of the foreign key",
    `
    alter table person_values drop constraint person_values_membership_fkey;
    create function forget_values() returns trigger language plpgsql as $$ begin
      delete from person_values v using gone g where v.workspace_id = g.workspace_id and v.person_id = g.person_id and v.group_id = g.group_id;
      return null;
    end $$;
    create trigger forget_values after delete on person_groups referencing old table as gone for each statement execute function forget_values()`,
  );
  await cost("… without the trigrams", "drop index person_values_folded_text");
  await cost("… and without number and date", "drop index person_values_number; drop index person_values_date");
  console.log("");
  await client.query("drop trigger forget_values on person_groups; drop function forget_values");
  await client.query("delete from people where workspace_id = $1 and id >= $2", [WORKSPACE, personId(2_000_000)]);
  await client.query(
    "delete from person_values v where not exists (select 1 from person_groups m where m.workspace_id = v.workspace_id and m.person_id = v.person_id and m.group_id = v.group_id)",
  );
  await client.query(`${VALUE_ROWS_KEYS("")[1]}; ${TYPED_INDEXES.join("; ")}`);
  await client.query("vacuum analyze person_values");
}

async function transaction(client: Client, statements: Sql[], end: "commit" | "rollback"): Promise<void> {
  await client.query("begin");
  for (const statement of statements) await client.query(statement.text, statement.params);
  await client.query(end);
}

/** Runs `work` up to `runs` times and tells "median / p95" in milliseconds. The first, cold run counts only when it is the only one. */
async function repeat(runs: number, work: (run: number) => Promise<void>): Promise<string> {
  const times: number[] = [];
  const started = performance.now();
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    await work(run);
    times.push(performance.now() - begun);
    if (performance.now() - started > FILTER_MS_MAX) break;
  }
  if (times.length > 1) times.shift();
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(
      times[0] !== undefined && times[0] >= 10 ? 0 : 2,
    );
  return `${at(0.5)} / ${at(0.95)}`;
}

async function walBytes(client: Client): Promise<string> {
  const result = await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes");
  return result.rows[0].bytes;
}

/** The scans of a plan, outermost first, without the walk over people in id order. */
function scans(plan: Row): string[] {
  const below = ((plan.Plans as Row[] | undefined) ?? []).flatMap(scans);
  const type = String(plan["Node Type"]);
  if (!type.includes("Scan") || type === "Bitmap Heap Scan") return below;
  return [plan["Index Name"] ? String(plan["Index Name"]) : `${type} ${plan["Relation Name"] ?? ""}`.trim(), ...below];
}

function personId(n: number): string {
  const hash = createHash("md5").update(String(n)).digest("hex");
  const hex = `${(1_760_000_000_000 + n).toString(16).padStart(12, "0")}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function cell(chapter: string, row: string, column: string, value: string): void {
  const table = chapters.get(chapter) ?? new Map<string, Map<string, string>>();
  chapters.set(chapter, table);
  const cells = table.get(row) ?? new Map<string, string>();
  table.set(row, cells);
  cells.set(column, value);
}

function print(title: string, table: Table, columns: string[]): void {
  console.log(`### ${title}\n\n| | ${columns.join(" | ")} |\n|---|${columns.map(() => "---|").join("")}`);
  for (const [row, cells] of table)
    console.log(`| ${row} | ${columns.map((column) => cells.get(column) ?? "").join(" | ")} |`);
  console.log("");
}

const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { startEmbedded } = await import("../database/embedded.ts");
  const folder = mkdtempSync(join(tmpdir(), "bench-custom-values-"));
  const server = await startEmbedded(join(folder, "data"), { durable: false });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      if (existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };
}

await main();
