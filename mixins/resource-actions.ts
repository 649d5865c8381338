import type { Caller } from "../base/contract/caller.ts";
import { ApiError, unprocessable } from "../base/contract/errors.ts";
import { custom, type Issue } from "../base/contract/issues.ts";
import type { Page } from "../base/contract/page.ts";
import type { TSchema } from "../base/contract/schema.ts";
import type { Uuid } from "../base/values/ids.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Query } from "../database/query.ts";
import type { Kept } from "../engine/changes/log-reads.ts";
import type { Combinator, Condition } from "../engine/filters/condition.ts";
import { type RowFilters, rowConditions, rowFilterParams } from "../engine/filters/row-filters.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { lockEntity } from "../engine/records/lock-entity.ts";
import { textsOfPage } from "../engine/rows/page-texts.ts";
import { type RowChange, type RowTelling, tellOfRow } from "../engine/rows/row-events.ts";
import {
  answeredRow,
  deleteRow,
  findRow,
  insertRow,
  listRows,
  type OtherColumns,
  presentRow,
  type RowList,
  updateRow,
} from "../engine/rows/rows.ts";
import type { Store } from "../engine/store/store.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { Entity } from "../model/resources/entity.ts";
import { BY_CREATION, positionOf } from "../model/resources/list-order.ts";
import type { Resource, Row, Viewer } from "../model/resources/resource.ts";
import { actionsOf, lockOne } from "./actions.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import { rowPast } from "./row-past.ts";

type ListOfRows = PageParams & { filter?: Condition[]; combinator?: Combinator };

/** Rules of a plain resource beyond its table of fields. */
export interface ResourceRules<ListParams> {
  /** False for things whose writes cannot be tried. docs/guides/preview.md#writes-without-a-preview */
  hasPreview?: false;
  /** Parameters of the list beside those of every list, and which rows they leave. */
  list?: {
    params?: Record<string, TSchema>;
    /** Fields that `filter[…]` may name. Without them the list ignores filters. */
    filters?: RowFilters;
    /** Null for an empty list, if a parameter names something that does not exist. */
    narrow?(params: ListParams, context: { store: Store; ctx: ActionContext<PageParams> }): Promise<Narrowing | null>;
  };
  /**
   * Judges a body beyond its schema, and returns the columns that are stored beside those of the fields.
   * @param issues collects the faults; if there are any, nothing is written
   */
  judge?(writing: WriteContext, sent: RequestBody, about: About, issues: Issue[]): Promise<OtherColumns> | OtherColumns;
  /**
   * The parts of a row of which the log tells, and the time for which it keeps them. Such a thing has a history and can
   * be restored. docs/guides/events.md#which-events-a-change-makes
   */
  telling?: RowTelling;
  kept?: Kept;
}

/** Subject of a write: its record, if one was named, and the row as it is; null for a create. */
export interface About {
  entity: Entity | undefined;
  current: Row | null;
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
  const tell = async (writing: WriteContext, change: RowChange) => {
    if (telling) await tellOfRow(writing, telling, change);
  };
  return actionsOf<Row>({
    resource,
    store,
    listParams: {
      ...rules.list?.params,
      ...pageParams,
      ...(rules.list?.filters && rowFilterParams(rules.list.filters)),
    },
    ...(telling && kept && { past: rowPast(resource, telling, kept) }),
    ...(rules.hasPreview === false && { hasPreview: false }),
    descriptions: {
      list: "In order of creation.",
      get: "An id of another workspace is 404.",
      create: "Missing fields are not set.",
      update: "Missing fields keep their values.",
      remove: "Its id is 404 afterwards.",
    },
    list: (ctx: ActionContext<ListOfRows>) => list(resource, store, rules, ctx),
    async read(caller, _, uuid) {
      const viewing = await viewingOf(store, caller);
      const row = await findRow(store.query, resource, viewing, uuid);
      return row ? answeredRow(resource, row, viewing) : null;
    },
    lock: (writing, _, uuid) => lockRow(resource, writing, uuid),
    async write(writing, _, current, sent) {
      const others = await judged(resource, rules, writing, sent, current);
      const row = current
        ? await updateRow(writing.query, resource, writing, current, sent, others)
        : await insertRow(writing.query, resource, writing, sent, others);
      await tell(writing, { before: current, after: row });
      return answeredRow(resource, row, writing);
    },
    async remove(writing, _, current) {
      await tell(writing, { before: current, after: null });
      await deleteRow(writing.query, resource, writing, current);
    },
  });
}

async function viewingOf(store: Store, caller: Caller): Promise<Viewer> {
  return { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
}

/**
 * The row of this uuid, locked until the transaction ends; undefined when the caller sees none.
 * @throws ApiError 403 when they may not change it
 */
export async function lockRow(resource: Resource, writing: WriteContext, uuid: Uuid): Promise<Row | undefined> {
  const row = await findRow(writing.query, resource, writing, uuid, { lock: true });
  const refusal = (row && resource.access?.refuseChange?.(row, writing)) ?? null;
  if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
  return row;
}

/**
 * The row that an id of a path names, locked until the transaction ends.
 * @throws ApiError 404 when the caller sees none, 403 when they may not change it
 */
export function lockChangeable(resource: Resource, writing: WriteContext, id: string): Promise<Row> {
  const lock = (_writing: WriteContext, _params: object, uuid: Uuid) => lockRow(resource, writing, uuid);
  return lockOne<Row>({ resource, lock }, writing, { [`${resource.kind}Id`]: id });
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

/**
 * Columns beside those of the fields: the columns of the entity, and those that the rules of the resource add.
 * @throws ApiError 422 with all issues
 */
async function judged<ListParams>(
  resource: Resource,
  rules: ResourceRules<ListParams>,
  writing: WriteContext,
  sent: RequestBody,
  current: Row | null,
): Promise<OtherColumns> {
  const issues: Issue[] = [];
  const entity = await entityOf(resource, writing, sent, issues);
  const others = (await rules.judge?.(writing, sent, { entity, current }, issues)) ?? {};
  if (issues.length > 0) throw unprocessable(issues);
  return { ...(entity && { entity_kind: entity.kind, entity_id: entity.uuid }), ...others };
}

/** The record that a body says the thing is about, locked against deletion. docs/guides/notes.md#entities */
async function entityOf(
  { fields }: Resource,
  writing: WriteContext,
  sent: RequestBody,
  issues: Issue[],
): Promise<Entity | undefined> {
  for (const [name, { storage }] of Object.entries(fields)) {
    if (storage.shape !== "entity" || !Object.hasOwn(sent, name)) continue;
    const { id } = sent[name] as { id: string };
    const entity = await lockEntity(writing, id, storage.kinds);
    if (!entity) issues.push(custom([name, "id"], `There is no ${storage.kinds.join(" or ")} with the id ${id}`));
    return entity;
  }
  return undefined;
}
