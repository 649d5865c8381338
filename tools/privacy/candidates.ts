import type { Query } from "../../database/query.ts";

/** Rows that are changed by one statement. One may be as long as a mail. */
const ROWS = 200;

/** Lists in parts of as many entries as rows are changed by one statement. */
export function* partsOf<Entry>(entries: readonly Entry[]): Generator<Entry[]> {
  for (let from = 0; from < entries.length; from += ROWS) yield entries.slice(from, from + ROWS);
}

/** A moment as the number of a transaction: those with a smaller one had ended then. */
export type Moment = string;

/** The moment of the caller's snapshot. */
export async function currentMoment(query: Query): Promise<Moment> {
  const [now] = await query<{ moment: Moment }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::xid::text as moment",
    [],
  );
  if (!now) throw new Error("PostgreSQL tells no snapshot");
  return now.moment;
}

/**
 * SQL: a condition that is true of rows which were written since a moment, and of all rows when it is null. By it, rows that have been
 * searched are not searched again. PostgreSQL still looks at each, which takes about a second for a million of them.
 * @param alias of the table
 * @param moment the place of the bound moment, as `$4`
 */
export function writtenSince(alias: string, moment: `$${number}`): string {
  return `(${moment}::text is null or age(${alias}.xmin) <= age(${moment}::text::xid))`;
}
