import { migrations } from "../../database/migrations/index.ts";
import type { Query } from "../../database/query.ts";
import type { BackupSequence } from "./manifest.ts";

/** A table of the database. */
export interface StoredTable {
  name: string;
  /** Those that are stored: a generated column is made again. */
  columns: string[];
  isUnlogged: boolean;
  /** The tables that its foreign keys refer to. */
  references: string[];
}

/** The tables of migrations, as far as the current schema has them, each behind those that it refers to. */
export async function storedTables(query: Query): Promise<StoredTable[]> {
  const tables = await query<StoredTable>(
    `select c.relname::text as name, c.relpersistence = 'u' as "isUnlogged",
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select f.relname::text from pg_constraint k join pg_class f on f.oid = confrelid
         where conrelid = c.oid and confrelid <> c.oid) as references
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname = current_schema() and relkind in ('r', 'p') and not relispartition and relname = any($1)
       -- A process that was killed while it dropped this first period has left it.
       and not (relname = 'idempotency_keys' and to_regclass('saved_responses') is not null)
     order by relname`,
    [migrations.flatMap((migration) => migration.tables)],
  );
  return inOrderOfReferences(tables);
}

function inOrderOfReferences(tables: StoredTable[]): StoredTable[] {
  const ordered: StoredTable[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const next = [...waiting].find(({ references }) => references.every((name) => !names.has(name)));
    if (!next) throw new Error(`Tables refer to each other: ${[...names].join(", ")}.`);
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/**
 * The sequences of columns, and how far they are. They may be ahead of the rows that a snapshot sees, never
 * behind.
 */
export async function readSequences(query: Query, tables: readonly string[]): Promise<BackupSequence[]> {
  const columns = await query<{ table: string; column: string; sequence: string }>(
    `select c.relname::text as table, attname::text as column, pg_get_serial_sequence(quote_ident(c.relname), attname) as sequence
     from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
     where nspname = current_schema() and relname = any($1) and pg_get_serial_sequence(quote_ident(c.relname), attname) is not null order by 1, 2`,
    [tables],
  );
  const sequences: BackupSequence[] = [];
  for (const { table, column, sequence } of columns) {
    const [row] = await query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${sequence}`,
      [],
    );
    if (row) sequences.push({ table, column, ...row });
  }
  return sequences;
}

/** A name as it stands in a statement. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"people" ("workspace_id", "id")`, as COPY wants it. */
export function tableWithColumns({ name, columns }: { name: string; columns: string[] }): string {
  return `${identifier(name)} (${columns.map(identifier).join(", ")})`;
}
