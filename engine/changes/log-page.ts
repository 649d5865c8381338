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
  let last = after;
  for await (const { seq, shown, isLast } of entriesBehind(after, read, show)) {
    const text = shown && JSON.stringify(shown);
    if (text && (items.length === limit || !fits(text))) return { items, next: last };
    if (text) items.push(text);
    last = isLast ? "" : seq;
  }
  return { items, next: last || null };
}

/** The entries behind a number, with what is shown of each, and whether the log ends with it. */
async function* entriesBehind<Row extends { seq: string }>(
  after: string,
  read: (before: string) => Promise<Row[]>,
  show: (rows: Row[]) => Promise<(object | null)[]>,
): AsyncGenerator<{ seq: string; shown: object | null; isLast: boolean }> {
  let before = after;
  for (let count = 0; count < READ_MAX; count += READ_AT_ONCE) {
    const rows = await read(before);
    const shown = await show(rows);
    const isEnd = rows.length < READ_AT_ONCE;
    for (const [i, { seq }] of rows.entries())
      yield { seq, shown: shown[i] ?? null, isLast: isEnd && i === rows.length - 1 };
    if (isEnd) return;
    before = rows.at(-1)?.seq ?? before;
  }
}
