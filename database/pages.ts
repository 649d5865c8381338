import type { Query, RowForm } from "./query.ts";

/** Rows that are in memory at a time, unless told otherwise. One may be as long as a mail. */
const ROWS = 200;

let cursors = 0;

/**
 * Rows of a select, page by page, as they are at the moment at which it begins. A cursor reads them, so a select that
 * finds few rows searches its table once, and not once for each page. The transaction is the caller's.
 */
export async function* pagesOf<Row>(
  query: Query,
  select: string,
  values: readonly unknown[],
  { rows: count = ROWS, form = "objects" }: { rows?: number; form?: RowForm } = {},
): AsyncGenerator<Row[]> {
  cursors += 1;
  const cursor = `pages_${cursors}`;
  await query(`declare ${cursor} no scroll cursor for ${select}`, values);
  for (;;) {
    const rows = await query<Row>(`fetch ${count} from ${cursor}`, [], form);
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
  }
  await query(`close ${cursor}`, []);
}
