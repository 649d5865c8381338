import { unprocessable } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Place, parsePlace, placeOfStart } from "./place.ts";
import type { Sort } from "./sort-field.ts";
import { keyByHash, type SortedPage, sortedIds } from "./sorted-ids.ts";
import { walkOf } from "./walk.ts";

/**
 * Numbers of rows of a page, of which the next higher one stands in a statement. PostgreSQL plans a walk along an index
 * for few rows, and would not for a number that it does not know; and each number makes a statement of its own.
 */
const ROWS = [21, 101];

/**
 * SQL for the first `least` records of a sorted page, or a few more: a table of `id`, `key` and `place`. $1 is the
 * workspace.
 */
export function sortedPage(resource: RecordType, page: Omit<SortedPage, "rows">, least: number, bind: Binder): string {
  const rows = ROWS.find((most) => most >= least) ?? least;
  return `(${sortedIds(resource, { ...page, rows }, bind)})`;
}

/**
 * The place of which a cursor tells.
 * @throws ApiError 422 for that of another field
 */
export async function placeBehind(
  query: Query,
  resource: RecordType,
  workspaceId: Uuid,
  { keys, isDescending }: Sort,
  after: string | undefined,
): Promise<Place | undefined> {
  if (after === undefined) return undefined;
  const place = parsePlace(keys, after);
  if (!place) throw unprocessable([custom(["cursor"], "This cursor was made for another field of this name")]);
  if (place.hash === undefined || keys.shape === "option") return place;
  const bind = createBinder();
  bind(workspaceId);
  const [row] = await query<{ key: string }>(keyByHash(walkOf(resource, keys, bind), place, bind), bind.values);
  return row ? { id: place.id, key: row.key } : placeOfStart(place, isDescending);
}
