import type { Caller } from "../base/contract/caller.ts";
import type { Page } from "../base/contract/page.ts";
import type { TSchema } from "../base/contract/schema.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Query } from "../database/query.ts";
import type { Kept } from "../engine/changes/log-reads.ts";
import type { Combinator, Condition } from "../engine/filters/condition.ts";
import { type RowFilters, rowConditions, rowFilterParams } from "../engine/filters/row-filters.ts";
import { textsOfPage } from "../engine/rows/page-texts.ts";
import { answeredRow, findRow, listRows, presentRow, type RowList } from "../engine/rows/rows.ts";
import type { Store } from "../engine/store/store.ts";
import { BY_CREATION, positionOf } from "../model/resources/list-order.ts";
import type { Resource, Row, Viewer } from "../model/resources/resource.ts";
import { actionsOf } from "./actions.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import { rowPast } from "./row-past.ts";
import { changeableRows, type RowRules } from "./works/rows.ts";

type ListOfRows = PageParams & { filter?: Condition[]; combinator?: Combinator };

/** Rules of a plain resource beyond its table of fields. */
export interface ResourceRules<ListParams> extends RowRules {
  /** Parameters of the list beside those of every list, and which rows they leave. */
  list?: {
    params?: Record<string, TSchema>;
    /** Fields that `filter[…]` may name. Without them the list ignores filters. */
    filters?: RowFilters;
    /** Null for an empty list, if a parameter names something that does not exist. */
    narrow?(params: ListParams, context: { store: Store; ctx: ActionContext<PageParams> }): Promise<Narrowing | null>;
  };
  /** Time for which the log keeps what it tells of them. A thing with `telling` and this has a history and a trash. */
  kept?: Kept;
}

/**
 * The actions of a plain resource: things in one table that belong to the workspace. The resource says which users see
 * and change them, and which record they are about. Writes run under the Idempotency-Key of their request.
 */
export function resourceActions<ListParams = unknown>(
  resource: Resource,
  store: Store,
  rules: ResourceRules<ListParams> = {},
) {
  const { telling, kept } = rules;
  const rows = changeableRows(resource, rules);
  return actionsOf<Row>({
    ...rows,
    store,
    listParams: {
      ...rules.list?.params,
      ...pageParams,
      ...(rules.list?.filters && rowFilterParams(rules.list.filters)),
    },
    ...(telling && kept && { past: rowPast(resource, telling, kept) }),
    descriptions: {
      ...rows.descriptions,
      list: "In order of creation.",
      get: "An id of another workspace is 404.",
    },
    list: (ctx: ActionContext<ListOfRows>) => list(resource, store, rules, ctx),
    async read(caller, _, uuid) {
      const viewing = await viewingOf(store, caller);
      const row = await findRow(store.query, resource, viewing, uuid);
      return row ? answeredRow(resource, row, viewing) : null;
    },
  });
}

async function viewingOf(store: Store, caller: Caller): Promise<Viewer> {
  return { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
}

async function list<ListParams>(
  resource: Resource,
  store: Store,
  rules: ResourceRules<ListParams>,
  ctx: ActionContext<ListOfRows>,
): Promise<Page> {
  const { filter = [], combinator } = ctx.params;
  const conditions = rules.list?.filters && rowConditions(rules.list.filters, filter, combinator);
  const narrowing = await rules.list?.narrow?.(ctx.params as ListParams, { store, ctx });
  if (narrowing === null) return { items: "[]", next: null };
  return readRowPage(resource, store, ctx, {
    ...narrowing,
    where: (bind) => [...(narrowing?.where?.(bind) ?? []), ...(conditions?.(bind) ?? [])],
    planned: narrowing?.planned || filter.length > 0,
  });
}

/** Conditions and order of the rows of a list. */
export interface Narrowing extends Pick<RowList, "order" | "where"> {
  /** True if the best plan depends on the values of the request, as in a search. */
  planned?: boolean;
  /**
   * Keeps the rows that the caller can see, where SQL cannot decide it. A page can then have fewer rows than its limit.
   */
  seen?(query: Query, viewing: Viewer, rows: Row[]): Promise<Row[]>;
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
  const viewing = await viewingOf(store, caller);
  return store.pageTurn(caller, { limit, table: resource.table }, async (query) => {
    // One more than the page has tells whether there is a next page.
    const options = { order, where, after, limit: limit + 1 };
    const { rows, isCut } = await listRows(planned ? store.queryPlanned : query, resource, viewing, options);
    const read = rows.slice(0, limit);
    const shown = seen ? await seen(query, viewing, read) : read;
    const page = await textsOfPage(shown, (row) => presentRow(resource, row, viewing));
    const lastRead = isCut || read.length < rows.length ? read.at(-1) : undefined;
    const last = page.count < shown.length ? shown[page.count - 1] : lastRead;
    return { items: page.items, next: last ? positionOf(order, last) : null };
  });
}
