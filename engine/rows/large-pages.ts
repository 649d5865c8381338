import type { Uuid } from "../../base/values/ids.ts";
import { PAGE_LENGTH_MAX } from "../../config/limits.ts";

// A page of a hundred entries may be 25 MB, of which an answer takes 4 MiB. The statement that counts bytes, and ends
// where they are enough, takes a third longer for ordinary records (0.75 ms instead of 0.57 ms for a hundred), so it is
// not for all: a workspace whose pages have turned out large has it for an hour. Then at most one large page an hour is
// read in vain.

/** Length of a page, in UTF-16 units, from which on the rows of its workspace count as large. */
const LARGE_PAGE = PAGE_LENGTH_MAX / 4;
const REMEMBERED_MS = 60 * 60 * 1000;
const REMEMBERED_MAX = 10_000;

/** Table and workspace → time until which its rows count as large, in the order in which that was noticed. */
const large = new Map<string, number>();

interface PageRead<Row> {
  table: string;
  workspaceId: Uuid;
  /** Reads the rows, in order. When it counts, they end at the row with which the bytes are enough (`counting`). */
  read(counts: boolean): Promise<Row[]>;
  /** The bytes of a row and all before it, when these were counted. */
  countOf(row: Row): number;
  /** The length of those parts of a row that may be long. */
  lengthOf(row: Row): number;
}

/** Whether a page of this table has turned out large for this workspace, within the last hour. */
export function hasLargePages(table: string, workspaceId: Uuid): boolean {
  const until = large.get(keyOf(table, workspaceId));
  return until !== undefined && until > Date.now();
}

function keyOf(table: string, workspaceId: Uuid): string {
  return `${table} ${workspaceId}`;
}

/**
 * Reads the rows of a page. `isCut` says whether further rows were left out, since these are large enough for an
 * answer.
 */
export async function readPageRows<Row>({
  table,
  workspaceId,
  read,
  countOf,
  lengthOf,
}: PageRead<Row>): Promise<{ rows: Row[]; isCut: boolean }> {
  const counts = hasLargePages(table, workspaceId);
  const rows = await read(counts);
  if (!counts) {
    let length = 0;
    for (const row of rows) length += lengthOf(row);
    if (length > LARGE_PAGE) remember(keyOf(table, workspaceId));
    return { rows, isCut: false };
  }
  const last = rows.at(-1);
  if (last === undefined || countOf(last) < PAGE_LENGTH_MAX) return { rows, isCut: false };
  // With the last row the page is too large. That one begins the next page, unless it is all that there is.
  return { rows: rows.length > 1 ? rows.slice(0, -1) : rows, isCut: true };
}

/**
 * SQL parts with which a statement counts bytes: columns of a select, and the condition that ends its rows, for an
 * outer select with the row alias `row`.
 * @param bytes SQL for the bytes of a row
 * @param order order of the rows of the page
 */
export function counting(bytes: string, order: string, row: string): { columns: string; isWanted: string } {
  return {
    columns: `${bytes} as own_bytes, sum(${bytes}) over (${order} rows unbounded preceding) as bytes`,
    isWanted: `${row}.bytes - ${row}.own_bytes < ${PAGE_LENGTH_MAX}`,
  };
}

function remember(key: string): void {
  large.delete(key);
  large.set(key, Date.now() + REMEMBERED_MS);
  const [oldest] = large.keys();
  if (large.size > REMEMBERED_MAX && oldest !== undefined) large.delete(oldest);
}
