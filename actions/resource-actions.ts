import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import { notFound } from "../lib/contract/errors.ts";
import type { Page } from "../lib/contract/page.ts";
import { closed, deletedSchema, idSchema } from "../lib/contract/schema.ts";
import type { Sent } from "../lib/fields/field.ts";
import type { Resource } from "../lib/resources/resource.ts";
import { deleteRow, findRow, insertRow, listRows, presentRow, updateRow } from "../lib/resources/rows.ts";
import type { Store } from "../lib/store/store.ts";
import { toId, type Uuid, uuidOf } from "../lib/values/ids.ts";
import { withArticle } from "./article.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type PageParams, pageParams } from "./page.ts";

type PathParams = Record<string, string>;
type BodyParams = PathParams & { body: Sent };

/**
 * The actions of a plain resource, for a service to spread and to override: things in one table that belong to the workspace,
 * and that every user of it sees and changes. Writes run under the Idempotency-Key of their request. Records have
 * `recordActions`.
 */
export function resourceActions(resource: Resource, store: Store) {
  const { kind, table } = resource;
  const one = resource.title.toLowerCase();
  const path = { [`${kind}Id`]: idSchema(kind) };
  const returns = { data: resource.schema };
  return {
    list: {
      summary: `List ${table}`,
      description: "In order of creation.",
      params: closed(pageParams),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<PageParams>) => list(resource, store, ctx),
    },
    get: {
      summary: `Get ${withArticle(one)}`,
      description: "An id of another workspace names nothing.",
      params: closed(path),
      returns,
      async handler(ctx: ActionContext<PathParams>) {
        const caller = callerOf(ctx);
        const id = ctx.params[`${kind}Id`] ?? "";
        const uuid = uuidOf(kind, id);
        const row = uuid && (await findRow(store.query, resource, caller, uuid));
        if (!row) throw notFound(one, id);
        return JSON.stringify(presentRow(resource, row, (await store.catalogs.current(caller.workspaceId)).users));
      },
    },
    create: {
      summary: `Create ${withArticle(one)}`,
      description: "Fields that are left out are unset.",
      params: closed({ body: resource.createBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) =>
        store.write(callerOf(ctx), async ({ query, catalog, caller }) => {
          const row = await insertRow(query, resource, caller, ctx.params.body);
          return JSON.stringify(presentRow(resource, row, catalog.users));
        }),
    },
    update: {
      summary: `Update ${withArticle(one)}`,
      description: "Fields that are left out stay as they are.",
      params: closed({ ...path, body: resource.updateBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) =>
        store.write(callerOf(ctx), async ({ query, catalog, caller }) => {
          const id = String(ctx.params[`${kind}Id`]);
          const uuid = uuidOf(kind, id);
          const current = uuid && (await findRow(query, resource, caller, uuid, { lock: true }));
          if (!current) throw notFound(one, id);
          const row = await updateRow(query, resource, caller, current, ctx.params.body);
          return JSON.stringify(presentRow(resource, row, catalog.users));
        }),
    },
    remove: {
      summary: `Delete ${withArticle(one)}`,
      description: "Its id names nothing afterwards.",
      params: closed(path),
      returns: { data: deletedSchema(kind) },
      handler: (ctx: ActionContext<PathParams>) =>
        store.write(callerOf(ctx), async ({ query, caller }) => {
          const id = ctx.params[`${kind}Id`] ?? "";
          const uuid = uuidOf(kind, id);
          if (!uuid || !(await deleteRow(query, resource, caller, uuid))) throw notFound(one, id);
          return JSON.stringify({ id: toId(kind, uuid) });
        }),
    },
  };
}

async function list(resource: Resource, store: Store, ctx: ActionContext<PageParams>): Promise<Page> {
  const caller = callerOf(ctx);
  const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params;
  // One more than the page has tells whether there is a next page. A position comes out of a sealed cursor, so it is a uuid.
  const rows = await listRows(store.query, resource, caller, { limit: limit + 1, after: after as Uuid | undefined });
  const { users } = await store.catalogs.current(caller.workspaceId);
  const shown = rows.slice(0, limit);
  const items = JSON.stringify(shown.map((row) => presentRow(resource, row, users)));
  return { items, next: rows.length > limit ? (shown.at(-1)?.uuid ?? null) : null };
}
