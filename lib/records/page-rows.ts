import { PAGE_LENGTH_MAX } from "../../config/limits.ts";
import type { Query, TextRow } from "../database/query.ts";
import type { RecordType } from "../resources/record-type.ts";
import type { Uuid } from "../values/ids.ts";
import { readerOf, statementOf } from "./select.ts";
import { lengthOf } from "./shown-texts.ts";

// A page of a hundred records may be 25 MB, of which an answer takes 4 MiB. The statement that counts bytes, and ends where they are
// enough, takes a third longer for ordinary records (0.75 ms instead of 0.57 ms for a hundred), so it is not for all: a workspace
// whose pages have turned out large has it for an hour. Then at most one large page an hour is read in vain.

/** Custom values of a page, in UTF-16 units, from which on the records of their workspace count as large. */
const LARGE_PAGE = PAGE_LENGTH_MAX / 4;
const REMEMBERED_MS = 60 * 60 * 1000;
const REMEMBERED_MAX = 10_000;

/** Workspace and kind of record → until when its records count as large, in the order in which that was noticed. */
const large = new Map<string, number>();

/** Rows of a page, in order. */
export interface PageRows {
  rows: TextRow[];
  /** Whether further rows were left out, since these are large enough for an answer. */
  isCut: boolean;
}

/**
 * Reads rows of a page.
 * @param conditions on `r`, with the order, which has to be that of the ids; $1 is the workspace
 */
export async function readPageRows(
  query: Query,
  resource: RecordType,
  workspaceId: Uuid,
  conditions: string,
  values: unknown[],
): Promise<PageRows> {
  const { select, selectCounted, endOfCounted, columns } = readerOf(resource);
  const key = `${workspaceId} ${resource.kind}`;
  const until = large.get(key);
  if (until === undefined || until < Date.now()) {
    const rows = await query<TextRow>(statementOf(select, conditions), values, "texts");
    if (lengthOfAll(resource, rows) > LARGE_PAGE) remember(key);
    return { rows, isCut: false };
  }
  const counted = statementOf(selectCounted, `${conditions} ${endOfCounted}`);
  const rows = await query<TextRow>(counted, values, "texts");
  const bytes = Number(rows.at(-1)?.[columns.length] ?? 0);
  if (bytes < PAGE_LENGTH_MAX) return { rows, isCut: false };
  // The last row is the one with which the page is too large. It begins the next page, unless it is all that there is.
  return { rows: rows.length > 1 ? rows.slice(0, -1) : rows, isCut: true };
}

function lengthOfAll(resource: RecordType, rows: TextRow[]): number {
  let length = 0;
  for (const row of rows) length += lengthOf(resource, row);
  return length;
}

function remember(key: string): void {
  large.delete(key);
  large.set(key, Date.now() + REMEMBERED_MS);
  const [oldest] = large.keys();
  if (large.size > REMEMBERED_MAX && oldest !== undefined) large.delete(oldest);
}
