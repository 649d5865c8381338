import { pageRoom } from "../../base/contract/page.ts";

/** Number of entries that are read at a time, and at the most, for one page. */
export const READ_AT_ONCE = 100;
const READ_MAX = 2000;

/** Higher than the number of any entry. */
const NEWEST = "9223372036854775807";

/** Which part of a view of the log a page has. */
export interface LogRange {
  limit: number;
  /** The number of the entry behind which the page begins; without it the newest entry is the first. */
  after?: string | undefined;
}

/** A page, as JSON texts, and the number of the entry behind which the next one begins; null on the last page. */
export interface LogPage {
  items: string[];
  next: string | null;
}

/**
 * A page of entries of the log, newest first. Those that are not shown are passed over, so it looks at up to READ_MAX
 * entries, and may have fewer than asked for.
 * @param read gives up to READ_AT_ONCE entries before a number, newest first
 * @param show gives what is shown of each of them; null for nothing
 */
export async function pageOfLog<Row extends { seq: string }>(
  { limit, after = NEWEST }: LogRange,
  read: (before: string) => Promise<Row[]>,
  show: (rows: Row[]) => Promise<(object | null)[]>,
): Promise<LogPage> {
  const items: string[] = [];
  const fits = pageRoom();
  const take = (text: string) => {
    const hasRoom = items.length < limit && fits(text);
    if (hasRoom) items.push(text);
    return hasRoom;
  };
  let last = after;
  for (let count = 0; count < READ_MAX; count += READ_AT_ONCE) {
    const rows = await read(last);
    const shown = await show(rows);
    const full = shown.findIndex((one) => one && !take(JSON.stringify(one)));
    if (full >= 0) return { items, next: rows[full - 1]?.seq ?? last };
    if (rows.length < READ_AT_ONCE) return { items, next: null };
    last = rows.at(-1)?.seq ?? last;
  }
  return { items, next: last };
}
