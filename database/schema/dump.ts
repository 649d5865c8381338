import type { Query } from "../query.ts";

// pg_dump does not serve here: the embedded PostgreSQL comes without it, and each of its releases writes another text.
// The functions of PostgreSQL that describe a thing (pg_get_indexdef and the like) write the same on 15 and on 18.

const TITLE = `-- The database as the migrations make it, for reading. Written by "npm run schema"; the reasons stand in the migrations.`;

/** Leaves out the tables in which Knex notes the migrations. It makes them by itself, not in a migration. */
const OURS = "n.nspname = current_schema() and c.relname not like 'migrations%'";

interface Table {
  name: string;
  isUnlogged: boolean;
  /** The key of its partitions; null without any. */
  dividedBy: string | null;
  options: string[];
  /** Lines of `create table`: columns in their order, then constraints by name. */
  lines: string[];
  /** Further statements, without the semicolon. */
  statements: string[];
  /** Names of the tables that its foreign keys refer to. */
  references: string[];
}

/**
 * The current schema of a database, mostly `public`, as a script that makes it in an empty database. The same schema
 * always gives the same text.
 * @throws Error when the database has what this dump cannot write, and which would else be missing from it unnoticed
 */
export async function dumpSchema(query: Query): Promise<string> {
  const [unknown] = await texts(query, UNKNOWN);
  if (unknown) throw new Error(`database/schema/dump.ts cannot write ${unknown}: add it there.`);
  const [first, functions, tables] = await describe(query);
  return [TITLE, first.join("\n"), ...functions, ...inOrderOfReferences(tables).map(tableText), ""]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

/**
 * The statements that make the current schema, without the semicolons behind them. What this cannot write is left out.
 */
export async function schemaStatements(query: Query): Promise<string[]> {
  const [first, functions, tables] = await describe(query);
  return statementsOf([...first, ...functions, ...tables.map(tableText)].join("\n"));
}

/** The statements of such a script, without the semicolons behind them. */
export function statementsOf(script: string): string[] {
  return script
    .split(/\n(?=CREATE |ALTER )/)
    .map((statement) => statement.trimEnd().replace(/;$/, ""))
    .filter((statement) => /^(CREATE|ALTER) /.test(statement));
}

async function describe(query: Query): Promise<[first: string[], functions: string[], tables: Table[]]> {
  const first = [...(await texts(query, EXTENSIONS)), ...(await texts(query, SEQUENCES))];
  return [first, await texts(query, FUNCTIONS), await query<Table>(TABLES, [])];
}

async function texts(query: Query, sql: string): Promise<string[]> {
  const rows = await query<{ text: string }>(sql, []);
  return rows.map(({ text }) => text);
}

/** The tables by name, but each after those that it refers to, so that the script can be run. */
function inOrderOfReferences(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Set(tables);
  const isReady = ({ name, references }: Table) =>
    ![...waiting].some((other) => other.name !== name && references.includes(other.name));
  while (waiting.size > 0) {
    const next = [...waiting].find(isReady);
    if (!next) throw new Error(`Tables refer to each other: ${[...waiting].map(({ name }) => name).join(", ")}.`);
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

function tableText({ name, isUnlogged, dividedBy, options, lines, statements }: Table): string {
  const divided = dividedBy === null ? "" : ` PARTITION BY ${dividedBy}`;
  const storage = options.length > 0 ? ` WITH (${options.join(", ")})` : "";
  const head = `CREATE ${isUnlogged ? "UNLOGGED " : ""}TABLE ${name} (\n  ${lines.join(",\n  ")}\n)${divided}${storage}`;
  return [head, ...statements].map((statement) => `${statement};`).join("\n");
}

/** Leaves out what belongs to an extension. */
const NO_MEMBER = (oid: string) => `not exists (select from pg_depend where objid = ${oid} and deptype = 'e')`;

/** The sequence of a column: that of an identity column is made with it, another one by itself. */
const IS_OF = (type: "i" | "a") => `exists (select from pg_depend where objid = c.oid and deptype = '${type}')`;

const UNKNOWN = `
  select 'the relation ' || c.relname as text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and c.relkind not in ('r', 'i', 'p', 'I') and ${NO_MEMBER("c.oid")}
      and not (c.relkind = 'S' and (${IS_OF("i")} or ${IS_OF("a")}))
  union all select 'the schema ' || nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)' and nspname <> current_schema()
  union all select 'the type ' || typname from pg_type t join pg_namespace n on n.oid = typnamespace
    where nspname = current_schema() and typtype not in ('c', 'b') and ${NO_MEMBER("t.oid")}
  union all select 'the policy ' || polname from pg_policy
  order by 1`;

const EXTENSIONS = `
  select format('CREATE EXTENSION %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by extname`;

const SEQUENCES = `
  select format('CREATE SEQUENCE %I INCREMENT BY %s;', c.relname, seqincrement) as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence on seqrelid = c.oid
  where ${OURS} and ${IS_OF("a")} order by c.relname`;

const FUNCTIONS = `
  select trim(trailing E'\\n' from pg_get_functiondef(p.oid)) || ';' as text
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname = current_schema() and ${NO_MEMBER("p.oid")} order by proname, pg_get_function_identity_arguments(p.oid)`;

const COLUMNS = `
  select 1 as section, attnum as place, concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'COLLATE ' || attcollation::regcollation end,
      case when attidentity = 'a' then 'GENERATED ALWAYS AS IDENTITY'
           when attgenerated = 's' then 'GENERATED ALWAYS AS (' || pg_get_expr(adbin, adrelid) || ') STORED'
           else 'DEFAULT ' || pg_get_expr(adbin, adrelid) end,
      case when attnotnull then 'NOT NULL' end) as line
  from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = c.oid and attnum > 0 and not attisdropped`;

// "not null" is left out here, because PostgreSQL lists it among the constraints only from 18 on. It stands with the
// columns.
const CONSTRAINTS = `
  select 2, row_number() over (order by contype <> 'p', conname),
    format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true))
  from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'c', 'f', 'x')`;

// The storage of a column has a statement of its own, because CREATE TABLE can say it only from PostgreSQL 16 on.
const STORAGES = `
  select 1 as section, attname::text as name, format('ALTER TABLE %I ALTER COLUMN %I SET STORAGE %s', c.relname, attname,
      case attstorage when 'e' then 'EXTERNAL' when 'm' then 'MAIN' when 'p' then 'PLAIN' else 'EXTENDED' end) as statement
  from pg_attribute join pg_type t on t.oid = atttypid
  where attrelid = c.oid and attnum > 0 and not attisdropped and attstorage <> typstorage`;

const INDEXES = `
  select 2, i.relname::text, replace(pg_get_indexdef(indexrelid, 0, true), ' ON ONLY ', ' ON ') from pg_index x join pg_class i on i.oid = indexrelid
  where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid and conrelid = c.oid)`;

const STATISTICS = "select 3, stxname::text, pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxrelid = c.oid";

const TRIGGERS =
  "select 4, tgname::text, pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = c.oid and not tgisinternal";

const OWNED = `
  select 0, s.relname::text, format('ALTER SEQUENCE %I OWNED BY %I.%I', s.relname, c.relname, attname)
  from pg_depend d join pg_class s on s.oid = objid and s.relkind = 'S' join pg_attribute on attrelid = c.oid and attnum = refobjsubid
  where refobjid = c.oid and d.deptype = 'a'`;

// Partitions are made as time passes, so they are left out.
const TABLES = `
  select c.relname as name, c.relpersistence = 'u' as "isUnlogged", pg_get_partkeydef(c.oid) as "dividedBy", coalesce(c.reloptions, '{}') as options,
    array(select line from (${COLUMNS} union all ${CONSTRAINTS}) parts order by section, place) as lines,
    array(select statement from (${STORAGES} union all ${INDEXES} union all ${STATISTICS} union all ${TRIGGERS} union all ${OWNED}) parts
      order by section, name collate "C") as statements,
    array(select f.relname::text from pg_constraint k join pg_class f on f.oid = confrelid where conrelid = c.oid) as references
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and not c.relispartition and ${OURS} order by c.relname`;
