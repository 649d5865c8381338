import { notFound } from "../base/contract/errors.ts";
import type { Page } from "../base/contract/page.ts";
import { closed, deletedSchema, idSchema, Type } from "../base/contract/schema.ts";
import { toId, uuidOf } from "../base/values/ids.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import { type Combinator, type Condition, combinatorSchema, conditionSchema } from "../engine/filters/condition.ts";
import { filterSchema, fromJson } from "../engine/filters/from-json.ts";
import type { Draft, Writing } from "../engine/records/draft.ts";
import { listRecords, readRecord } from "../engine/records/read.ts";
import { deleteRecords } from "../engine/records/remove.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import { rowOf, writeDrafts } from "../engine/records/write.ts";
import { needRole } from "../model/definitions/roles.ts";
import type { Sent } from "../model/fields/field.ts";
import { withArticle } from "./article.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type PageParams, pageParams } from "./page.ts";
import { idIn, lockOne, type PathParams, type Records, scopeIn, scopeOfRead, wordFor } from "./records.ts";

type BodyParams = PathParams & { body: Sent };
type ListParams = PageParams & { combinator?: Combinator; filter?: Condition[] };
type SearchBody = { combinator?: Combinator; filter?: Record<string, Record<string, unknown>> };

const combinator = Type.Optional(combinatorSchema);
const searchBody = closed({ combinator, filter: Type.Optional(filterSchema) }, { title: "Search" });

/**
 * The actions that every kind of record has, for a service to spread and to override. They come from a function and not from
 * a mixin, because Moleculer merges the actions of mixins deeply, and their schemas with them. What the actions return is
 * JSON text, which is made once, where the record is read.
 */
export function recordActions(records: Records) {
  const { resource, scoping } = records;
  const { kind, table } = resource;
  const one = withArticle(wordFor(resource));
  const listPath = { ...scoping?.path };
  const path = { ...listPath, [`${kind}Id`]: idSchema(kind) };
  const returns = { data: resource.schema };
  return {
    list: {
      summary: `List ${table}`,
      description: "In order of creation, as far as the caller sees them. Filters see no more than that.",
      params: closed({ ...listPath, ...pageParams, combinator, filter: Type.Optional(Type.Array(conditionSchema)) }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<ListParams>) => list(records, ctx, ctx.params.combinator, ctx.params.filter),
    },
    search: {
      summary: `Search ${table}`,
      description: "The list with its filters in the body, for filters that are too long for a URL.",
      params: closed({ ...listPath, ...pageParams, body: searchBody }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<PageParams & { body: SearchBody }>) =>
        list(records, ctx, ctx.params.body.combinator, fromJson(ctx.params.body.filter ?? {})),
    },
    get: {
      summary: `Get ${one}`,
      description: "The id of a record that was merged into another gives the other.",
      params: closed(path),
      returns,
      handler: (ctx: ActionContext<PathParams>) => get(records, ctx),
    },
    create: {
      summary: `Create ${one}`,
      description: "Fields that are left out are unset. Writing into a group needs the role contributor there.",
      params: closed({ ...listPath, body: resource.createBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) => create(records, ctx),
    },
    update: {
      summary: `Update ${one}`,
      description: "Absent fields stay as they are, lists replace, values of custom fields merge field by field.",
      params: closed({ ...path, body: resource.updateBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) => update(records, ctx),
    },
    remove: {
      summary: `Delete ${one}`,
      description: "Its values in groups go with it, and every link to it.",
      params: closed(path),
      returns: { data: deletedSchema(kind) },
      handler: (ctx: ActionContext<PathParams>) => remove(records, ctx),
    },
  };
}

/**
 * Writes one draft and gives the record as it is afterwards, as JSON text. The caller's transaction commits.
 * @throws ApiError that says why the draft cannot be written
 */
export async function writeOne(records: Records, writing: Writing, draft: Draft): Promise<string> {
  const [written] = await writeDrafts(writing, records.resource, [draft]);
  const [text] = await presentRows(writing, records.resource, [rowOf(written)]);
  return text ?? "null";
}

async function list(
  records: Records,
  ctx: ActionContext<PageParams>,
  combine: Combinator | undefined,
  conditions: Condition[] | undefined,
): Promise<Page> {
  const caller = callerOf(ctx);
  const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params;
  const scope = await scopeOfRead(records, caller, ctx.params as unknown as PathParams);
  return listRecords(records.store, records.resource, caller, scope, { limit, after, combinator: combine, conditions });
}

async function get(records: Records, ctx: ActionContext<PathParams>): Promise<string> {
  const caller = callerOf(ctx);
  const id = idIn(records, ctx.params);
  const uuid = uuidOf(records.resource.kind, id);
  const scope = await scopeOfRead(records, caller, ctx.params);
  const text = uuid && (await readRecord(records.store, records.resource, caller, scope, uuid));
  if (!text) throw notFound(wordFor(records.resource), id);
  return text;
}

function create(records: Records, ctx: ActionContext<BodyParams>): Promise<string> {
  const caller = callerOf(ctx);
  return records.store.write(caller, (writing) => {
    const scope = scopeIn(records, writing.catalog, caller, ctx.params);
    return writeOne(records, writing, { at: [], sent: ctx.params.body, current: null, scope, groups: "replace" });
  });
}

function update(records: Records, ctx: ActionContext<BodyParams>): Promise<string> {
  const caller = callerOf(ctx);
  return records.store.write(
    caller,
    async (writing) => {
      const scope = scopeIn(records, writing.catalog, caller, ctx.params);
      const current = await lockOne(records, writing, scope, ctx.params);
      return writeOne(records, writing, { at: [], sent: ctx.params.body, current, scope, groups: "replace" });
    },
    { about: idIn(records, ctx.params) },
  );
}

function remove(records: Records, ctx: ActionContext<PathParams>): Promise<string> {
  const caller = callerOf(ctx);
  const { kind } = records.resource;
  return records.store.write(
    caller,
    async (writing) => {
      const scope = scopeIn(records, writing.catalog, caller, ctx.params);
      const id = idIn(records, ctx.params);
      const uuid = uuidOf(kind, id);
      const deleted = uuid && (await deleteRecords(writing, records.resource, scope, [uuid])).get(uuid);
      if (!deleted) throw notFound(wordFor(records.resource), id);
      // A 404 comes before a 403 (docs/guides/conventions.md#order-of-checks), so the role is checked only now. A 403 rolls the
      // deletion back.
      if (scope.home) needRole(scope.home, caller, "contributor");
      return JSON.stringify({ id: toId(kind, deleted) });
    },
    { about: idIn(records, ctx.params) },
  );
}
