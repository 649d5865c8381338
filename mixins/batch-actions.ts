import { BATCH_RECORDS_MAX } from "../config/limits.ts";
import { type ApiError, ERRORS, isApiError } from "../lib/errors.ts";
import { toId } from "../lib/ids.ts";
import { batchCode, batchCreate, batchDelete, batchUpdate, type Outcome } from "../lib/records/batch.ts";
import type { Writing } from "../lib/records/draft.ts";
import { needRole } from "../lib/catalog.ts";
import { presentAll } from "../lib/records/read.ts";
import type { Scope } from "../lib/records/scope.ts";
import { rereadRows } from "../lib/records/write.ts";
import type { Resource, Sent } from "../lib/resource.ts";
import { closed, idSchema, type TSchema, Type } from "../lib/schema.ts";
import { batchResultSchema, withoutTextRule } from "./batch-schemas.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type Scoping, scopeIn } from "./record-actions.ts";
import type { Store } from "./store.ts";

type BatchParams<RecordSent> = Record<string, string> & { body: { records: RecordSent[] } };
type Make = (writing: Writing, scope: Scope, records: Sent[]) => Promise<Outcome[]>;

interface Options {
  resource: Resource;
  store: Store;
  publicUrl: string;
  scoping?: Scoping;
  /** How records are made, where it is not simply anew. */
  make?: Make;
  /** Whether entries say `operation`, and updates `removedGroups`. */
  tellsOperation?: boolean;
}

/** The batch actions of a kind of record. API document, "Batch endpoints". One transaction, set-based, one entry per record. */
export function batchActions({ resource, store, publicUrl, scoping, make, tellsOperation = false }: Options) {
  const { kind, table } = resource;
  const makeAll: Make = make ?? ((writing, scope, records) => batchCreate(writing, resource, scope, records));
  const tellsGroups = scoping === undefined;
  const params = (item: TSchema) => closed({ ...scoping?.path, body: closed({ records: Type.Array(item, { maxItems: BATCH_RECORDS_MAX }) }) });
  const id = { id: idSchema(kind) };
  const returns = { data: closed({ results: Type.Array(batchResultSchema(resource)) }) };

  /** Writes what `work` does in one transaction, then reads all records that are there afterwards. */
  function run(ctx: ActionContext<BatchParams<unknown>>, work: (writing: Writing, scope: Scope) => Promise<Outcome[]>, more: (outcome: Done) => object): Promise<string> {
    const caller = callerOf(ctx);
    return store.write(caller, async (writing) => {
      const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
      if (scope.home) needRole(scope.home, caller, "contributor");
      const outcomes = await work(writing, scope);
      const uuids = [...new Set(outcomes.flatMap((outcome) => ("uuid" in outcome ? [outcome.uuid] : [])))];
      const rows = await rereadRows(writing, resource, uuids);
      const texts = await presentAll({ query: writing.query, catalogs: store.catalogs }, resource, caller, rows);
      const byUuid = new Map(rows.map((row, i) => [row.id, texts[i]]));
      return results(outcomes.map((outcome) => ("error" in outcome ? failed(outcome.error, publicUrl) : succeeded(byUuid.get(outcome.uuid) ?? "null", more(outcome)))));
    });
  }

  return {
    batchCreate: {
      summary: `Create many ${table}`,
      params: params(withoutTextRule(resource.createBody)),
      returns,
      handler: (ctx: ActionContext<BatchParams<Sent>>) =>
        run(
          ctx,
          (writing, scope) => makeAll(writing, scope, ctx.params.body.records),
          ({ operation, warnings }) => ({ ...(tellsOperation && { operation }), ...(warnings.length > 0 && { warnings }) }),
        ),
    },
    batchUpdate: {
      summary: `Update many ${table}`,
      description: "Records for the same id become one update, in request order.",
      params: params(withoutTextRule(resource.updateBody, id)),
      returns,
      handler: (ctx: ActionContext<BatchParams<Sent & { id: string }>>) =>
        run(
          ctx,
          (writing, scope) => batchUpdate(writing, resource, scope, ctx.params.body.records),
          ({ removedGroups, warnings }) => ({
            ...(tellsGroups && { removedGroups: removedGroups.map((uuid) => ({ id: toId("group", uuid) })) }),
            ...(warnings.length > 0 && { warnings }),
          }),
        ),
    },
    batchDelete: {
      summary: `Delete many ${table}`,
      params: params(closed(id)),
      returns: { data: closed({ results: Type.Array(batchResultSchema(resource, closed(id))) }) },
      handler: (ctx: ActionContext<BatchParams<{ id: string }>>) => {
        const caller = callerOf(ctx);
        return store.write(caller, async (writing) => {
          const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
          if (scope.home) needRole(scope.home, caller, "contributor");
          const outcomes = await batchDelete(writing, resource, scope, ctx.params.body.records);
          return results(outcomes.map((outcome) => ("error" in outcome ? failed(outcome.error, publicUrl) : succeeded(JSON.stringify(outcome), {}))));
        });
      },
    },
  };
}

type Done = Exclude<Outcome, { error: unknown }>;

function results(entries: string[]): string {
  return `{"results":[${entries.join(",")}]}`;
}

/** An entry around the JSON text of its record. */
function succeeded(data: string, more: object): string {
  const rest = JSON.stringify(more).slice(1, -1);
  return `{"status":"succeeded","data":${data}${rest === "" ? "" : `,${rest}`}}`;
}

function failed(error: ApiError, publicUrl: string): string {
  // What is no matter of the record fails the whole request.
  if (!isApiError(error) || error.type === "INTERNAL_SERVER_ERROR") throw error;
  const { details } = error.data;
  const documentationUrl = `${publicUrl}/docs/errors#${ERRORS[error.type].anchor}`;
  return JSON.stringify({ status: "failed", error: { code: batchCode(error.type), message: error.message, documentationUrl, ...(details && { details }) } });
}
