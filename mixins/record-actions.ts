import type { Page } from "../base/contract/page.ts";
import { closed, Type } from "../base/contract/schema.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import { type Combinator, type Condition, combinatorSchema, conditionSchema } from "../engine/filters/condition.ts";
import { filterSchema, fromJson } from "../engine/filters/from-json.ts";
import { listRecords, readRecord } from "../engine/records/read.ts";
import type { RecordRow } from "../engine/records/select.ts";
import { actionsOf, type Things } from "./actions.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import type { PathParams } from "./path.ts";
import { recordPast } from "./record-past.ts";
import { type Records, scopeOfRead } from "./records.ts";
import { changeableRecords } from "./works/records.ts";

type SortParams = PageParams & { sort?: string };
type ListParams = SortParams & { combinator?: Combinator; filter?: Condition[] };
type SearchBody = { combinator?: Combinator; filter?: Record<string, Record<string, unknown>> };

const sort = Type.Optional(
  Type.String({
    minLength: 1,
    isBracketed: true,
    description: "Field, or -field",
    example: "-createdAt",
  }),
);
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
      params: closed({ ...scoping?.path, ...pageParams, sort, body: searchBody }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<SortParams & { body: SearchBody }>) =>
        list(records, ctx, ctx.params.body.combinator, fromJson(ctx.params.body.filter ?? {})),
    },
  };
}

/** The records of a type, as `actionsOf` takes them. */
function thingsOf(records: Records): Things<RecordRow> {
  const { resource, store } = records;
  const changeable = changeableRecords(records);
  return {
    ...changeable,
    store,
    listParams: { ...pageParams, sort, combinator, filter },
    descriptions: {
      ...changeable.descriptions,
      list: "In order of creation or of a field, limited to records that the caller can see. Filters look at nothing else.",
      get: "The id of a merged record returns the record it was merged into.",
    },
    list: (ctx: ActionContext<ListParams>) => list(records, ctx, ctx.params.combinator, ctx.params.filter),
    read: async (caller, params, uuid) =>
      readRecord(store, resource, caller, await scopeOfRead(records, caller, params), uuid),
    past: recordPast(records),
  };
}

async function list(
  records: Records,
  ctx: ActionContext<SortParams>,
  combine: Combinator | undefined,
  conditions: Condition[] | undefined,
): Promise<Page> {
  const caller = callerOf(ctx);
  const { limit = PAGE_LIMIT_DEFAULT, after, sort } = ctx.params;
  const scope = await scopeOfRead(records, caller, ctx.params as unknown as PathParams);
  const options = { limit, after, sort, combinator: combine, conditions };
  return listRecords(records.store, records.resource, caller, scope, options);
}
