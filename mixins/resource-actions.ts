import { ApiError, notFound, unprocessable } from "../base/contract/errors.ts";
import { custom, type Issue } from "../base/contract/issues.ts";
import type { Page } from "../base/contract/page.ts";
import { closed, deletedSchema, idSchema, type TSchema } from "../base/contract/schema.ts";
import { toId, uuidOf } from "../base/values/ids.ts";
import type { Combinator, Condition } from "../engine/filters/condition.ts";
import { type RowFilters, rowConditions, rowFilterParams } from "../engine/filters/row-filters.ts";
import type { Writing } from "../engine/records/draft.ts";
import { lockEntity } from "../engine/records/lock-entity.ts";
import type { RowChange } from "../engine/rows/row-events.ts";
import { deleteRow, findRow, insertRow, type OtherColumns, presentRow, updateRow } from "../engine/rows/rows.ts";
import type { Store } from "../engine/store/store.ts";
import type { Sent } from "../model/fields/field.ts";
import type { Entity } from "../model/resources/entity.ts";
import type { Resource, Row } from "../model/resources/resource.ts";
import { withArticle } from "./article.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type PageParams, pageParams } from "./page.ts";
import { type Narrowing, readRowPage } from "./row-page.ts";

type PathParams = Record<string, string>;
type BodyParams = PathParams & { body: Sent };
type ListOfRows = PageParams & { filter?: Condition[]; combinator?: Combinator };

/** Rules of a plain resource beyond its table of fields. */
export interface ResourceRules<ListParams> {
  /** Parameters of the list beside those of every list, and which rows they leave. */
  list?: {
    params?: Record<string, TSchema>;
    /** Fields that `filter[…]` may name. Without them the list ignores filters. */
    filters?: RowFilters;
    /** Null for an empty list: a parameter names what is not there. */
    narrow?(params: ListParams, context: { store: Store; ctx: ActionContext<PageParams> }): Promise<Narrowing | null>;
  };
  /**
   * Judges what was sent beyond its schema, and gives the columns that are stored beside those of the fields.
   * @param issues takes what is wrong with it; then nothing is written
   */
  judge?(writing: Writing, sent: Sent, about: About, issues: Issue[]): Promise<OtherColumns> | OtherColumns;
  /** Adds the events of a write to those of the transaction. docs/guides/events.md#which-events-a-change-makes */
  tell?(writing: Writing, change: RowChange): Promise<void>;
}

/** Subject of a write: its record, if one was named, and the row as it is; null for a create. */
export interface About {
  entity: Entity | undefined;
  current: Row | null;
}

/**
 * The actions of a plain resource, for a service to spread and to override: things in one table that belong to the
 * workspace.
 * The resource says which users see and change them, and which record they are about. Writes run under the
 * Idempotency-Key of their request. Records have `recordActions`.
 */
export function resourceActions<ListParams = unknown>(
  resource: Resource,
  store: Store,
  rules: ResourceRules<ListParams> = {},
) {
  const { kind, table } = resource;
  const one = resource.title.toLowerCase();
  const path = { [`${kind}Id`]: idSchema(kind) };
  const returns = { data: resource.schema };
  return {
    list: {
      summary: `List ${table}`,
      description: "In order of creation.",
      params: closed({
        ...rules.list?.params,
        ...pageParams,
        ...(rules.list?.filters && rowFilterParams(rules.list.filters)),
      }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<ListOfRows>) => list(resource, store, rules, ctx),
    },
    get: {
      summary: `Get ${withArticle(one)}`,
      description: "An id of another workspace names nothing.",
      params: closed(path),
      returns,
      handler: (ctx: ActionContext<PathParams>) => get(resource, store, ctx),
    },
    create: {
      summary: `Create ${withArticle(one)}`,
      description: "Fields that are left out are unset.",
      params: closed({ body: resource.createBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) =>
        store.write(callerOf(ctx), async (writing) => {
          const others = await judged(resource, rules, writing, ctx.params.body, null);
          const row = await insertRow(writing.query, resource, writing, ctx.params.body, others);
          await rules.tell?.(writing, { before: null, after: row });
          return JSON.stringify(presentRow(resource, row, writing));
        }),
    },
    update: {
      summary: `Update ${withArticle(one)}`,
      description: "Fields that are left out stay as they are.",
      params: closed({ ...path, body: resource.updateBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) =>
        store.write(
          callerOf(ctx),
          async (writing) => {
            const current = await lockChangeable(resource, writing, String(ctx.params[`${kind}Id`]));
            const others = await judged(resource, rules, writing, ctx.params.body, current);
            const row = await updateRow(writing.query, resource, writing, current, ctx.params.body, others);
            await rules.tell?.(writing, { before: current, after: row });
            return JSON.stringify(presentRow(resource, row, writing));
          },
          { about: ctx.params[`${kind}Id`] as string },
        ),
    },
    remove: {
      summary: `Delete ${withArticle(one)}`,
      description: "Its id names nothing afterwards.",
      params: closed(path),
      returns: { data: deletedSchema(kind) },
      handler: (ctx: ActionContext<PathParams>) =>
        store.write(
          callerOf(ctx),
          async (writing) => {
            const row = await lockChangeable(resource, writing, ctx.params[`${kind}Id`] ?? "");
            await rules.tell?.(writing, { before: row, after: null });
            await deleteRow(writing.query, resource, writing, row);
            return JSON.stringify({ id: toId(kind, row.uuid) });
          },
          { about: ctx.params[`${kind}Id`] },
        ),
    },
  };
}

async function get(resource: Resource, store: Store, ctx: ActionContext<PathParams>): Promise<string> {
  const caller = callerOf(ctx);
  const id = ctx.params[`${resource.kind}Id`] ?? "";
  const uuid = uuidOf(resource.kind, id);
  const viewing = { caller, catalog: await store.catalogs.current(caller.workspaceId) };
  const row = uuid && (await findRow(store.query, resource, viewing, uuid));
  if (!row) throw notFound(resource.title.toLowerCase(), id);
  return JSON.stringify(presentRow(resource, row, viewing));
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

/**
 * The row that an id of a path names, locked until the transaction ends.
 * @throws ApiError 404 when the caller sees none, 403 when they may not change it
 */
export async function lockChangeable(resource: Resource, writing: Writing, id: string): Promise<Row> {
  const uuid = uuidOf(resource.kind, id);
  const row = uuid && (await findRow(writing.query, resource, writing, uuid, { lock: true }));
  if (!row) throw notFound(resource.title.toLowerCase(), id);
  const refusal = resource.access?.refuseChange?.(row, writing) ?? null;
  if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
  return row;
}

/**
 * Columns beside those of the fields: those of the record that the thing is about, and what the rules of the resource add.
 * @throws ApiError 422 with all issues
 */
async function judged<ListParams>(
  resource: Resource,
  rules: ResourceRules<ListParams>,
  writing: Writing,
  sent: Sent,
  current: Row | null,
): Promise<OtherColumns> {
  const issues: Issue[] = [];
  const entity = await entityOf(resource, writing, sent, issues);
  const others = (await rules.judge?.(writing, sent, { entity, current }, issues)) ?? {};
  if (issues.length > 0) throw unprocessable(issues);
  return { ...(entity && { entity_kind: entity.kind, entity_id: entity.uuid }), ...others };
}

/** The record that a body says the thing is about, locked against deletion. docs/guides/notes.md#entities */
export async function entityOf(
  { fields }: Resource,
  writing: Writing,
  sent: Sent,
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
