import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";

/** Number of rows that one statement deletes. It has to end within the 8 s that statements of the pool have. */
const ROWS_AT_ONCE = 20_000;

/** The tables whose locks keep processes from making deliveries for the workspace, and from looking at its records. */
const FIRST = ["webhook_progress", "duplicate_progress"];
/**
 * The queues of webhooks go after the workspace itself. Deleting that waits for the transactions that make a webhook in
 * it, and lets no further one begin, so no queue is left. A sender that gives its queues back waits for those rows, so
 * they are locked as late as can be.
 */
const LAST = "webhook_queues";

/** Tables with a few short rows of a workspace, which one statement deletes. docs/architecture.md#data */
const DIRECTORIES = ["key_hashes", "workspace_slugs"];

/**
 * Deletes everything of a workspace, inside the caller's transaction. Records have no foreign key to their workspace,
 * so its rows are deleted from every table that has a `workspace_id`, which a later migration may have added. A table
 * is emptied before those that it refers to.
 */
export async function removeWorkspace(query: Query, workspaceId: Uuid): Promise<void> {
  const others = [...FIRST, LAST, ...DIRECTORIES];
  const tables = (await tablesInOrder(query)).filter((table) => !others.includes(table));
  for (const table of [...FIRST, ...tables]) await emptyTable(query, table, workspaceId);
  await Promise.all([
    ...DIRECTORIES.map((table) => query(`delete from ${table} where workspace_id = $1`, [workspaceId])),
    query("delete from workspaces where id = $1", [workspaceId]),
  ]);
  await emptyTable(query, LAST, workspaceId);
}

async function emptyTable(query: Query, table: string, workspaceId: Uuid): Promise<void> {
  for (;;) {
    const [row] = await query<{ deleted: number }>(
      `with gone as (delete from ${table} where workspace_id = $1 and ctid = any(array(select ctid from ${table} where workspace_id = $1 limit ${ROWS_AT_ONCE})) returning 1)
       select count(*)::int as deleted from gone`,
      [workspaceId],
    );
    if ((row?.deleted ?? 0) < ROWS_AT_ONCE) return;
  }
}

/**
 * The names, as SQL has them, of the tables that have a `workspace_id`; partitions stand for the table that they are
 * of. A table stands before those that it refers to.
 */
async function tablesInOrder(query: Query): Promise<string[]> {
  const tables = await query<{ name: string; refersTo: string[] }>(
    `select c.oid::regclass::text as name,
       array(select distinct k.confrelid::regclass::text from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "refersTo"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`,
    [],
  );
  const ordered: string[] = [];
  const left = new Map(tables.map(({ name, refersTo }) => [name, refersTo]));
  while (left.size > 0) {
    const referred = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((name) => !referred.has(name));
    if (free.length === 0) throw new Error(`The foreign keys of ${[...left.keys()].join(", ")} form a circle`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}
