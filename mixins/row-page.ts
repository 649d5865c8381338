import type { Page } from "../base/contract/page.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Query } from "../database/query.ts";
import { textsOfPage } from "../engine/rows/page-texts.ts";
import { listRows, presentRow, type RowList } from "../engine/rows/rows.ts";
import type { Store } from "../engine/store/store.ts";
import { BY_CREATION, positionOf } from "../model/resources/list-order.ts";
import type { Resource, Row, Viewing } from "../model/resources/resource.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import type { PageParams } from "./page.ts";

/** Which rows a list has, and in which order. */
export interface Narrowing extends Pick<RowList, "order" | "where"> {
  /** Whether its best plan depends on the values that were sent, as that of a search does. */
  planned?: boolean;
  /** Gives those of the rows that the caller sees, where SQL cannot tell it. A page may then have fewer rows than its limit. */
  seen?(query: Query, viewing: Viewing, rows: Row[]): Promise<Row[]>;
}

/** A page of the rows of a plain resource that the caller sees. */
export async function readRowPage(
  resource: Resource,
  store: Store,
  ctx: ActionContext<PageParams>,
  { order = BY_CREATION, where, planned = false, seen }: Narrowing = {},
): Promise<Page> {
  const caller = callerOf(ctx);
  const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params;
  const viewing = { caller, catalog: await store.catalogs.current(caller.workspaceId) };
  return store.pageTurn(caller, { limit, table: resource.table }, async (query) => {
    // One more than the page has tells whether there is a next page.
    const options = { order, where, after, limit: limit + 1 };
    const { rows, isCut } = await listRows(planned ? store.queryAlone : query, resource, viewing, options);
    const read = rows.slice(0, limit);
    const shown = seen ? await seen(query, viewing, read) : read;
    const page = await textsOfPage(shown, (row) => presentRow(resource, row, viewing));
    const lastRead = isCut || read.length < rows.length ? read.at(-1) : undefined;
    const last = page.count < shown.length ? shown[page.count - 1] : lastRead;
    return { items: page.items, next: last ? positionOf(order, last) : null };
  });
}
