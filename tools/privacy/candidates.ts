import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { searched } from "./folded-for-search.ts";
import type { Marks } from "./identifiers.ts";

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
 * SQL: a condition that is true of rows which were written since a moment, and of all rows when it is null. By it, rows
 * that have been searched are not searched again. PostgreSQL still looks at each, which takes about a second for a
 * million of them.
 * @param alias of the table
 * @param moment the place of the bound moment, as `$4`
 */
export function writtenSince(alias: string, moment: `$${number}`): string {
  return `(${moment}::text is null or age(${alias}.xmin) <= age(${moment}::text::xid))`;
}

/** Search for rows that name a person. */
export interface Searching {
  workspaceId: Uuid;
  marks: Marks;
  /** Only rows that were written since then. */
  since?: Moment | null;
}

/**
 * Ids of the rows of a table that name a person.
 * @param text SQL for the text of a row
 */
export async function idsNaming(
  query: Query,
  table: string,
  text: string,
  { workspaceId, marks, since = null }: Searching,
): Promise<Uuid[]> {
  const select = `select id, ${text} as text from ${table} t
    where workspace_id = $1 and ${writtenSince("t", "$3")} and ${searched(text)} like any($2::text[])`;
  const found: Uuid[] = [];
  for await (const rows of pagesOf<{ id: Uuid; text: string }>(query, select, [workspaceId, marks.patterns, since]))
    found.push(...rows.filter((row) => marks.areIn(row.text)).map(({ id }) => id));
  return found;
}
