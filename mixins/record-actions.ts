import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Caller } from "../lib/caller.ts";
import { notFound } from "../lib/errors.ts";
import { toId, uuidOf } from "../lib/ids.ts";
import type { Writing } from "../lib/records/draft.ts";
import { listRecords, presentAll, readRecord } from "../lib/records/read.ts";
import { deleteRecords } from "../lib/records/remove.ts";
import { lockRows, planOf, rereadRows, writeDrafts } from "../lib/records/write.ts";
import type { Resource, Sent } from "../lib/resource.ts";
import { closed, idSchema, type TSchema } from "../lib/schema.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type PageParams, pageParams } from "./page.ts";
import type { Store } from "./store.ts";

/**
 * The actions that every kind of record has, for a service to spread and to override. A factory and no mixin: Moleculer
 * merges actions of mixins deeply, schemas too. What they return is JSON text, made once where the record is read.
 */
export function recordActions(resource: Resource, store: Store) {
  const { kind, title } = resource;
  const name = title.toLowerCase();
  const path = { [`${kind}Id`]: idSchema(kind) };
  const idOf = (params: Record<string, string>) => params[`${kind}Id`] ?? "";

  return {
    list: {
      summary: `List ${resource.table}`,
      params: closed(pageParams),
      returns: { list: resource.record },
      handler: (ctx: ActionContext<PageParams>) => {
        const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params;
        return listRecords(store, resource, callerOf(ctx), { limit, after });
      },
    },
    get: {
      summary: `Get a ${name}`,
      params: closed(path),
      returns: { data: resource.record },
      handler: async (ctx: ActionContext<Record<string, string>>) => {
        const id = idOf(ctx.params);
        const uuid = uuidOf(kind, id);
        const text = uuid && (await readRecord(store, resource, callerOf(ctx), uuid));
        if (!text) throw notFound(name, id);
        return text;
      },
    },
    create: {
      summary: `Create a ${name}`,
      params: closed({ body: resource.createBody }),
      returns: { data: resource.record },
      handler: (ctx: ActionContext<{ body: Sent }>) => createRecord(store, resource, callerOf(ctx), ctx.params.body),
    },
    update: {
      summary: `Update a ${name}`,
      description: "Absent fields stay as they are, lists replace, values of custom fields merge field by field.",
      params: closed({ ...path, body: resource.updateBody }),
      returns: { data: resource.record },
      handler: (ctx: ActionContext<Record<string, string> & { body: Sent }>) => updateRecord(store, resource, callerOf(ctx), idOf(ctx.params), ctx.params.body),
    },
    remove: {
      summary: `Delete a ${name}`,
      params: closed(path),
      returns: { data: deletedSchema(kind) },
      handler: (ctx: ActionContext<Record<string, string>>) => deleteRecord(store, resource, callerOf(ctx), idOf(ctx.params)),
    },
  };
}

/** What a DELETE answers. */
export function deletedSchema(kind: Resource["kind"] | "user"): TSchema {
  return closed({ id: idSchema(kind) });
}

function createRecord(store: Store, resource: Resource, caller: Caller, sent: Sent): Promise<string> {
  return store.write(caller, (writing) => writeOne(store, writing, resource, { at: [], sent, current: null, groups: "replace" }));
}

function updateRecord(store: Store, resource: Resource, caller: Caller, id: string, sent: Sent): Promise<string> {
  return store.write(caller, async (writing) => {
    const uuid = uuidOf(resource.kind, id);
    const current = uuid && (await lockRows(writing, resource, [uuid])).get(uuid);
    if (!current) throw notFound(resource.title.toLowerCase(), id);
    return writeOne(store, writing, resource, { at: [], sent, current, groups: "replace" });
  });
}

/** Writes one draft and gives the record as it is afterwards; throws why it cannot be written. */
export async function writeOne(store: Store, writing: Writing, resource: Resource, draft: Parameters<typeof writeDrafts>[2][number]): Promise<string> {
  const [verdict] = await writeDrafts(writing, resource, [draft]);
  const rows = await rereadRows(writing, resource, [planOf(verdict).uuid]);
  const [text] = await presentAll({ query: writing.query, catalogs: store.catalogs }, resource, writing.caller, rows);
  return text ?? "null";
}

function deleteRecord(store: Store, resource: Resource, caller: Caller, id: string): Promise<string> {
  return store.write(caller, async (writing) => {
    const uuid = uuidOf(resource.kind, id);
    const [deleted] = uuid ? await deleteRecords(writing, resource, [uuid]) : [];
    if (!deleted) throw notFound(resource.title.toLowerCase(), id);
    return JSON.stringify({ id: toId(resource.kind, deleted) });
  });
}
