import { hasCitus } from "../../database/has-citus.ts";
import type { Query } from "../../database/query.ts";

/** One partition of a table that is divided by a number. */
export interface Partition {
  name: string;
  /** Its first number; 0 where it has no first one. */
  from: number;
  /** State of a partition that a killed process has begun to take out of its table, or has taken out. */
  state: "there" | "leaving" | "left";
}

/**
 * The partitions of a table in the order of their numbers, and behind them those that a killed process has left. These
 * are found by their names: that of the table and a number, or `named`.
 */
export function partitionsOf(query: Query, table: string, named = ""): Promise<Partition[]> {
  return query<Partition>(
    `/* background */ select c.relname::text as name,
       coalesce(substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('?(\\d+)$$)::float8, 0) as "from",
       case when inhparent is null then 'left' when inhdetachpending then 'leaving' else 'there' end as state
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and (inhparent = to_regclass($1::text) or inhparent is null and c.relname ~ ('^' || $1 || '_\\d+$|^' || $2 || '$'))
     order by inhparent is null, 2`,
    [table, named],
  );
}

/** Makes the partition of a table for the numbers from one up to another, which belongs to the next one. */
export async function addPartition(
  query: Query,
  table: string,
  { name, from, to, options = "" }: { name: string; from: number; to: number; options?: string | undefined },
): Promise<void> {
  // PostgreSQL attaches a table without waiting for anybody. Making it as a partition would lock its table against all.
  await query(`create table ${name} (like ${table} including all) ${options}`, []);
  await query(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`, []);
}

/**
 * Takes a partition out of its table without a lock on that, and drops it. Not in a transaction. It waits for writes
 * that are under way. Citus knows no way without a lock: there all writes and reads of the table wait for a moment.
 */
export async function dropPartition(query: Query, table: string, { name, state }: Partition): Promise<void> {
  const how = (await hasCitus(query)) ? "" : state === "leaving" ? "finalize" : "concurrently";
  if (state !== "left") await query(`alter table ${table} detach partition ${name} ${how}`, []);
  await query(`drop table if exists ${name}`, []);
}
