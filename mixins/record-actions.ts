import type { Answered } from "../base/contract/answer.ts";
import { tagOf } from "../base/contract/etag.ts";
import type { Page } from "../base/contract/page.ts";
import { closed, Type } from "../base/contract/schema.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import { type Combinator, type Condition, combinatorSchema, conditionSchema } from "../engine/filters/condition.ts";
import { filterSchema, fromJson } from "../engine/filters/from-json.ts";
import type { Draft, WriteContext } from "../engine/records/draft.ts";
import { listRecords, readRecord } from "../engine/records/read.ts";
import { removeRows } from "../engine/records/remove.ts";
import type { RecordRow } from "../engine/records/select.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import { lockRows, rowOf, writeDrafts } from "../engine/records/write.ts";
import { needRole } from "../model/definitions/roles.ts";
import type { RecordType } from "../model/resources/record-type.ts";
import { actionsOf, type Things } from "./actions.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import type { PathParams } from "./path.ts";
import { recordPast } from "./record-past.ts";
import { type Records, scopeIn, scopeOfRead } from "./records.ts";

type ListParams = PageParams & { combinator?: Combinator; filter?: Condition[] };
type SearchBody = { combinator?: Combinator; filter?: Record<string, Record<string, unknown>> };

const combinator = Type.Optional(combinatorSchema);
const filter = Type.Optional(Type.Array(conditionSchema));
const searchBody = closed({ combinator, filter: Type.Optional(filterSchema) }, { title: "Search" });

/** The actions of a kind of record: those of everything with an id, and `search`. */
export function recordActions(records: Records) {
  const { resource, scoping } = records;
  return {
    ...actionsOf(thingsOf(records)),
    search: {
      summary: `Search ${resource.table}`,
      description: "The list with its filters in the body, for filters that are too long for a URL.",
      params: closed({ ...scoping?.path, ...pageParams, body: searchBody }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<PageParams & { body: SearchBody }>) =>
        list(records, ctx, ctx.params.body.combinator, fromJson(ctx.params.body.filter ?? {})),
    },
  };
}

/** The records of a type, as `actionsOf` takes them. */
export function thingsOf(records: Records): Things<RecordRow> {
  const { resource, store, scoping } = records;
  const scopeOf = ({ definitions, caller }: WriteContext, params: PathParams) =>
    scopeIn(records, definitions, caller, params);
  return {
    resource,
    store,
    path: scoping?.path,
    listParams: { ...pageParams, combinator, filter },
    descriptions: {
      list: "In order of creation, limited to records that the caller can see. Filters look at nothing else.",
      get: "The id of a merged record returns the record it was merged into.",
      create: "Missing fields are not set. Writing into a group needs the role contributor there.",
      update:
        "Missing fields keep their values, lists are replaced, and custom field values are merged field by field.",
      remove: "Deletes its values in groups and every link to it too.",
    },
    list: (ctx: ActionContext<ListParams>) => list(records, ctx, ctx.params.combinator, ctx.params.filter),
    read: async (caller, params, uuid) =>
      readRecord(store, resource, caller, await scopeOfRead(records, caller, params), uuid),
    lock: async (writing, params, uuid, isDeleted) =>
      (await lockRows(writing, resource, scopeOf(writing, params), [uuid], { isDeleted })).get(uuid),
    write: (writing, params, current, sent) =>
      writeOne(records, writing, { at: [], sent, current, scope: scopeOf(writing, params), groups: "replace" }),
    async remove(writing, params, current) {
      // A 404 comes before a 403 (docs/guides/conventions.md#order-of-checks), so the role is checked behind the lock.
      const { homeGroup } = scopeOf(writing, params);
      if (homeGroup) needRole(homeGroup, writing.caller, "contributor");
      await removeRows(writing, resource, [current]);
    },
    past: recordPast(records),
  };
}

/**
 * Writes one draft and gives the record as it is afterwards. The caller's transaction commits.
 * @throws ApiError that says why the draft cannot be written
 */
export async function writeOne({ resource }: Records, writing: WriteContext, draft: Draft): Promise<Answered> {
  const [written] = await writeDrafts(writing, resource, [draft]);
  return answeredRecord(writing, resource, rowOf(written));
}

/** A record that was written, as an action answers it. */
export async function answeredRecord(writing: WriteContext, resource: RecordType, row: RecordRow): Promise<Answered> {
  const [text] = await presentRows(writing, resource, [row]);
  return { data: text ?? "null", etag: tagOf(row) };
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
