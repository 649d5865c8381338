import type { Query } from "./query.ts";

/**
 * The time of the database at this moment, which is one for all processes. What is deleted for its age goes by it: a process whose
 * own clock is wrong would delete what is new.
 */
export async function databaseTime(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }>("/* background */ select clock_timestamp() as now", []);
  if (!row) throw new Error("The database told no time");
  return row.now;
}
