import { unprocessable } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import type { Checked } from "../filters/check.ts";
import { type Compiling, compile } from "../filters/compile.ts";
import type { Combinator } from "../filters/condition.ts";
import { type Place, parsePlace, placeOfStart, printPlace } from "./place.ts";
import type { Sort } from "./sort-field.ts";
import { keyByHash, sortedIds } from "./sorted-ids.ts";
import { walkOf } from "./walk.ts";

/** Page of a sorted list that is wanted. */
interface Wanted {
  sort: Sort;
  limit: number;
  after?: string | undefined;
  combinator?: Combinator | undefined;
}

/**
 * Numbers of rows that pages are read with. They stand in the statement, since PostgreSQL plans a walk along an index
 * for few rows, and would not for a number that it does not know; and each number makes a statement of its own.
 */
const ROWS = [21, 101];

/**
 * The records of a page of a sorted list, with their positions, and one more when there is a next page; and the version
 * of the definitions that count. docs/guides/sorting.md
 * @param run runs the statement that finds them
 * @throws ApiError 422 for a position of another field
 */
export async function findSorted(
  { query, run }: { query: Query; run: Query },
  compiling: Omit<Compiling, "bind">,
  scope: Scope,
  { sort, limit, after, combinator = "and" }: Wanted,
  checked: Checked[],
): Promise<{ ids: { uuid: Uuid; position: string }[]; version: number }> {
  const { resource, caller } = compiling;
  const behind = after === undefined ? undefined : await placeOf(query, compiling, sort, after);
  const bind = createBinder();
  bind(caller.workspaceId);
  const rows = ROWS.find((most) => most > limit) ?? limit + 1;
  const conditions = compile({ ...compiling, bind }, checked, combinator);
  const sql = sortedIds(resource, { sort, behind, rows, conditions, within: within(scope, bind) }, bind);
  const [row] = await run<TextRow>(
    `select array_to_json(array(${sql})), catalog_version from workspaces where id = $1`,
    bind.values,
    "texts",
  );
  const found = JSON.parse(row?.[0] ?? "[]") as [id: Uuid, key: string | null][];
  return {
    ids: found.slice(0, limit + 1).map(([id, key]) => ({ uuid: id, position: printPlace(sort.keys, { id, key }) })),
    version: Number(row?.[1] ?? 0),
  };
}

async function placeOf(
  query: Query,
  { resource, caller }: Omit<Compiling, "bind">,
  { keys, isDescending }: Sort,
  after: string,
): Promise<Place> {
  const place = parsePlace(keys, after);
  if (!place) throw unprocessable([custom(["cursor"], "This cursor was made for another field of this name")]);
  if (place.hash === undefined || keys.shape === "option") return place;
  const bind = createBinder();
  bind(caller.workspaceId);
  const [row] = await query<{ key: string }>(keyByHash(walkOf(resource, keys, bind), place, bind), bind.values);
  return row ? { id: place.id, key: row.key } : placeOfStart(place, isDescending);
}
