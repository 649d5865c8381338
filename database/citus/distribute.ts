import { Refusal } from "contact-workspace-postgres/refusal";
import type { Query } from "../query.ts";
import { arePlaced, type PlacedTable, placements } from "./placements.ts";

/**
 * The foreign keys that are made again when their tables are divided, in a setting: this takes a while, and goes on
 * after a crash.
 */
const FOREIGN_KEYS = "citus_foreign_keys";

/** Whether `distribute` has something to do: a table stands elsewhere, or an interrupted one has left foreign keys. */
export async function isToBeDistributed(query: Query): Promise<boolean> {
  if (!(await arePlaced(query))) return true;
  return (await query("/* background */ select 1 from settings where name = $1", [FOREIGN_KEYS])).length > 0;
}

/** Takes a table that was placed, and the milliseconds that it took. */
export type PlacementTold = (table: string, ms: number) => void;

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Puts all tables of a database of Citus where they are to stand, each in a transaction of its own, with their rows.
 * No other process may use the database meanwhile. docs/guides/citus.md#take-over-a-database
 * @param query runs one statement, or several, in one transaction
 * @throws Error that says what to do when the database is not the coordinator, or is not known to its workers
 */
export async function distribute(query: Query, told?: PlacementTold): Promise<void> {
  await refuseOtherNode(query);
  const tables = (await placements(query)).filter(({ wanted, found }) => wanted !== found);
  await prepare(query, tables);
  for (const table of tables) {
    const begun = performance.now();
    await query(`begin; set local citus.multi_shard_modify_mode = 'sequential'; ${placing(table)}; commit`, []);
    told?.(table.table, performance.now() - begun);
  }
  await putForeignKeysBack(query);
}

function placing({ table, column, wanted }: PlacedTable): string {
  if (wanted === "reference") return `select create_reference_table('${table}')`;
  // The rows of one workspace in all tables stand together, because their tables are divided in the same way.
  const how = table === "workspaces" ? "" : ", colocate_with => 'workspaces'";
  return `select create_distributed_table('${table}', '${column}'${how})`;
}

async function refuseOtherNode(query: Query): Promise<void> {
  const [facts] = await query<{ isCoordinator: boolean; isKnown: boolean }>(
    `select citus_is_coordinator() as "isCoordinator",
       not exists (select from pg_dist_node) or exists (select from pg_dist_node where groupid = 0) as "isKnown"`,
    [],
  );
  if (!facts?.isCoordinator) throw new Refusal("This is a worker of Citus: set DATABASE_URL to the coordinator.");
  if (!facts.isKnown)
    throw new Refusal(
      "The workers of Citus do not know where the coordinator is. Let a superuser run: select citus_set_coordinator_host('HOST', PORT)",
    );
}

/**
 * Takes away what Citus refuses: triggers, which serve the release before alone, and foreign keys between tables of
 * which only one is divided yet. What that release has left in its outbox goes into the log.
 */
async function prepare(query: Query, tables: readonly PlacedTable[]): Promise<void> {
  if (tables.length === 0) return;
  const outbox = tables.some(({ table }) => table === "change_log") ? [LAST_OF_OUTBOX] : [];
  await query([...outbox, DROP_TRIGGERS, PUT_FOREIGN_KEYS_AWAY].join("; "), []);
}

const LAST_OF_OUTBOX = `
with taken as (delete from outbox returning *)
insert into change_log (workspace_id, id, type, record_id, source, body)
select workspace_id, id, type, record_id, 'api', body from (select * from taken order by seq) o`;

const DROP_TRIGGERS = `
do $$ declare t record; begin
  for t in select tgname, tgrelid::regclass as name from pg_trigger
    join pg_class c on c.oid = tgrelid and c.relnamespace = current_schema()::regnamespace
    where not tgisinternal and tgparentid = 0 and tgname !~ '^(truncate_trigger|noderole)'
  loop execute format('drop trigger %I on %s', t.tgname, t.name); end loop;
end $$`;

const PUT_FOREIGN_KEYS_AWAY = `
do $$ declare k record; begin
  insert into settings (name, value)
    select '${FOREIGN_KEYS}', coalesce(jsonb_agg(jsonb_build_object(
      'table', conrelid::regclass::text, 'name', conname, 'definition', pg_get_constraintdef(oid)) order by oid), '[]')
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
    on conflict (name) do nothing;
  for k in select conname, conrelid::regclass as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
      and not exists (select from pg_dist_partition where logicalrelid = conrelid)
  loop execute format('alter table %s drop constraint %I', k.name, k.conname); end loop;
end $$`;

async function putForeignKeysBack(query: Query): Promise<void> {
  const [kept] = await query<{ value: ForeignKey[] }>("select value from settings where name = $1", [FOREIGN_KEYS]);
  if (!kept) return;
  const there = await query<{ name: string }>(
    "select conname::text as name from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace",
    [],
  );
  const names = new Set(there.map(({ name }) => name));
  for (const { table, name, definition } of kept.value)
    if (!names.has(name)) await query(`alter table ${table} add constraint ${name} ${definition}`, []);
  await query("delete from settings where name = $1", [FOREIGN_KEYS]);
}
