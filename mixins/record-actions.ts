import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Caller } from "../lib/caller.ts";
import { type Catalog, needRole } from "../lib/catalog.ts";
import { notFound } from "../lib/errors.ts";
import { type Combinator, type Condition, conditionSchema } from "../lib/filters/condition.ts";
import { filterSchema, fromJson } from "../lib/filters/from-json.ts";
import { toId, uuidOf } from "../lib/ids.ts";
import type { Draft, Writing } from "../lib/records/draft.ts";
import { listRecords, presentAll, readRecord } from "../lib/records/read.ts";
import { deleteRecords } from "../lib/records/remove.ts";
import type { Scope } from "../lib/records/scope.ts";
import { lockRows, planOf, rereadRows, writeDrafts } from "../lib/records/write.ts";
import type { Resource, Sent } from "../lib/resource.ts";
import { closed, idSchema, oneOf, type TSchema, Type } from "../lib/schema.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type PageParams, pageParams } from "./page.ts";
import type { Store } from "./store.ts";

/** Where records of a kind live, when that is not simply the workspace: further parameters of the path and what they mean. */
export interface Scoping {
  path: Record<string, TSchema>;
  /** @throws ApiError 404 */
  resolve(params: Record<string, string>, catalog: Catalog, caller: Caller): Scope;
}

const combinator = oneOf(["and", "or"]);

type PathParams = Record<string, string>;
type BodyParams = PathParams & { body: Sent };

/**
 * The actions that every kind of record has, for a service to spread and to override. A factory and no mixin: Moleculer
 * merges actions of mixins deeply, schemas too. What they return is JSON text, made once where the record is read.
 */
export function recordActions(resource: Resource, store: Store, scoping?: Scoping) {
  const { kind, title } = resource;
  const name = title.toLowerCase();
  const idParam = `${kind}Id`;
  const path = { ...scoping?.path, [idParam]: idSchema(kind) };

  /** Without a scoping no catalog is needed before the records are read. */
  async function scopeOf(ctx: ActionContext<unknown>): Promise<Scope> {
    if (!scoping) return { entity: kind, home: null };
    const caller = callerOf(ctx);
    return scoping.resolve(ctx.params as PathParams, await store.catalogs.current(caller.workspaceId), caller);
  }

  async function get(ctx: ActionContext<PathParams>): Promise<string> {
    const id = ctx.params[idParam] ?? "";
    const uuid = uuidOf(kind, id);
    const scope = await scopeOf(ctx);
    const text = uuid && (await readRecord(store, resource, callerOf(ctx), scope, uuid));
    if (!text) throw notFound(name, id);
    return text;
  }

  function create(ctx: ActionContext<BodyParams>): Promise<string> {
    const caller = callerOf(ctx);
    return store.write(caller, (writing) => {
      const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
      return writeOne(store, writing, resource, { at: [], sent: ctx.params.body, current: null, scope, groups: "replace" });
    });
  }

  function update(ctx: ActionContext<BodyParams>): Promise<string> {
    const caller = callerOf(ctx);
    return store.write(caller, async (writing) => {
      const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
      const id = ctx.params[idParam] ?? "";
      const uuid = uuidOf(kind, id);
      const current = uuid && (await lockRows(writing, resource, scope, [uuid])).get(uuid);
      if (!current) throw notFound(name, id);
      return writeOne(store, writing, resource, { at: [], sent: ctx.params.body, current, scope, groups: "replace" });
    });
  }

  function remove(ctx: ActionContext<PathParams>): Promise<string> {
    const caller = callerOf(ctx);
    return store.write(caller, async (writing) => {
      const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
      const id = ctx.params[idParam] ?? "";
      const uuid = uuidOf(kind, id);
      const deleted = uuid && (await deleteRecords(writing, resource, scope, [uuid])).get(uuid);
      if (!deleted) throw notFound(name, id);
      // After the 404, before the commit: gaps 1, "Order of checks".
      if (scope.home) needRole(scope.home, caller, "contributor");
      return JSON.stringify({ id: toId(kind, deleted) });
    });
  }

  return {
    list: {
      summary: `List ${resource.table}`,
      params: closed({ ...scoping?.path, ...pageParams, combinator: Type.Optional(combinator), filter: Type.Optional(Type.Array(conditionSchema)) }),
      returns: { list: resource.record },
      handler: async (ctx: ActionContext<PageParams & { combinator?: Combinator; filter?: Condition[] }>) => {
        const { limit = PAGE_LIMIT_DEFAULT, after, combinator, filter } = ctx.params;
        return listRecords(store, resource, callerOf(ctx), await scopeOf(ctx), { limit, after, combinator, conditions: filter });
      },
    },
    search: {
      summary: `Search ${resource.table}`,
      description: "The list with its filters in the body, for filters that are too long for a URL.",
      params: closed({ ...scoping?.path, ...pageParams, body: closed({ combinator: Type.Optional(combinator), filter: Type.Optional(filterSchema) }, { title: "Search" }) }),
      returns: { list: resource.record },
      handler: async (ctx: ActionContext<PageParams & { body: { combinator?: Combinator; filter?: Record<string, Record<string, unknown>> } }>) => {
        const { limit = PAGE_LIMIT_DEFAULT, after, body } = ctx.params;
        const scope = await scopeOf(ctx);
        return listRecords(store, resource, callerOf(ctx), scope, { limit, after, combinator: body.combinator, conditions: fromJson(body.filter ?? {}) });
      },
    },
    get: { summary: `Get ${article(name)}`, params: closed(path), returns: { data: resource.record }, handler: get },
    create: { summary: `Create ${article(name)}`, params: closed({ ...scoping?.path, body: resource.createBody }), returns: { data: resource.record }, handler: create },
    update: {
      summary: `Update ${article(name)}`,
      description: "Absent fields stay as they are, lists replace, values of custom fields merge field by field.",
      params: closed({ ...path, body: resource.updateBody }),
      returns: { data: resource.record },
      handler: update,
    },
    remove: { summary: `Delete ${article(name)}`, params: closed(path), returns: { data: deletedSchema(kind) }, handler: remove },
  };
}

/** The scope of a request: that of its path, or the whole workspace. */
export function scopeIn(resource: Resource, scoping: Scoping | undefined, catalog: Catalog, caller: Caller, params: PathParams): Scope {
  return scoping ? scoping.resolve(params, catalog, caller) : { entity: resource.kind, home: null };
}

/** What a DELETE answers. */
export function deletedSchema(kind: Resource["kind"] | "user"): TSchema {
  return closed({ id: idSchema(kind) });
}

/** Writes one draft and gives the record as it is afterwards; throws why it cannot be written. */
export async function writeOne(store: Store, writing: Writing, resource: Resource, draft: Draft): Promise<string> {
  const [verdict] = await writeDrafts(writing, resource, [draft]);
  const rows = await rereadRows(writing, resource, [planOf(verdict).uuid]);
  const [text] = await presentAll({ query: writing.query, catalogs: store.catalogs }, resource, writing.caller, rows);
  return text ?? "null";
}

function article(name: string): string {
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
