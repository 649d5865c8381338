import { closed, DRY_RUN, idSchema, type TSchema, Type } from "../base/contract/schema.ts";
import { toId } from "../base/values/ids.ts";
import { BATCH_RECORDS_MAX } from "../config/limits.ts";
import { batchCreate, batchDelete, batchUpdate, type Outcome } from "../engine/records/batch.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { Scope } from "../model/resources/scope.ts";
import { answerRoom, failed, results, scopeOfBatch, succeeded } from "./batch-entries.ts";
import { batchResultSchema, looserBody } from "./batch-schemas.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { Records } from "./records.ts";

type BatchParams<RecordSent> = Record<string, string> & { body: { records: RecordSent[] } };
type Written = Exclude<Outcome, { error: unknown }>;

interface Options {
  publicUrl: string;
  /** Writes the records of a create that may not become new records: companies are found by name. */
  make?(writing: WriteContext, records: RequestBody[]): Promise<Outcome[]>;
  /** Whether the succeeded entries of a create say `operation`: created or updated. */
  tellsOperation?: boolean;
}

/**
 * The batch actions of a kind of record. Each writes its records in one transaction, as sets, and answers one entry for
 * each of them in the order of the request. docs/guides/batches.md#requests
 */
export function batchActions(records: Records, options: Options) {
  const { resource, scoping } = records;
  const { kind, table } = resource;
  const { make, tellsOperation = false } = options;
  const id = { id: idSchema(kind) };
  const params = (item: TSchema) =>
    closed({
      ...scoping?.path,
      ...DRY_RUN,
      body: closed({ records: Type.Array(item, { maxItems: BATCH_RECORDS_MAX }) }),
    });
  const returns = (data?: TSchema) => ({ data: closed({ results: Type.Array(batchResultSchema(resource, data)) }) });
  const createAll = (ctx: ActionContext<BatchParams<RequestBody>>) =>
    writeBatch(records, options, ctx, {
      writeRecords: (writing, scope) =>
        make ? make(writing, ctx.params.body.records) : batchCreate(writing, resource, scope, ctx.params.body.records),
      extraMembers: ({ operation }) => (tellsOperation ? { operation } : {}),
    });
  const updateAll = (ctx: ActionContext<BatchParams<RequestBody & { id: string }>>) =>
    writeBatch(records, options, ctx, {
      writeRecords: (writing, scope) => batchUpdate(writing, resource, scope, ctx.params.body.records),
      extraMembers: ({ removedGroups }) =>
        scoping ? {} : { removedGroups: removedGroups.map((uuid) => ({ id: toId("group", uuid) })) },
    });
  return {
    batchCreate: {
      summary: `Create many ${table}`,
      description: `Up to ${BATCH_RECORDS_MAX} records. Each succeeds or fails by itself, and has a result in its place.`,
      params: params(looserBody(resource.createBody)),
      returns: returns(),
      handler: createAll,
    },
    batchUpdate: {
      summary: `Update many ${table}`,
      description: "Records for the same id become one update, in request order.",
      params: params(looserBody(resource.updateBody, id)),
      returns: returns(),
      handler: updateAll,
    },
    batchDelete: {
      summary: `Delete many ${table}`,
      description: `Up to ${BATCH_RECORDS_MAX} records. Each succeeds or fails by itself, and has a result in its place.`,
      params: params(closed(id)),
      returns: returns(closed(id)),
      handler: (ctx: ActionContext<BatchParams<{ id: string }>>) => deleteAll(records, options, ctx),
    },
  };
}

interface Work {
  writeRecords(writing: WriteContext, scope: Scope): Promise<Outcome[]>;
  /** The members of a succeeded entry beside `status`, `data` and `warnings`. */
  extraMembers(written: Written): object;
}

/** Writes the records in one transaction. A succeeded entry holds its record as it is after the whole batch. */
function writeBatch(
  records: Records,
  { publicUrl }: Options,
  ctx: ActionContext<BatchParams<unknown>>,
  { writeRecords, extraMembers }: Work,
): Promise<string> {
  const caller = callerOf(ctx);
  return records.store.writeMany(caller, async (writing) => {
    const outcomes = await writeRecords(writing, scopeOfBatch(records, writing, ctx.params));
    const rows = [...new Set(outcomes.flatMap((outcome) => ("row" in outcome ? [outcome.row] : [])))];
    // A record that is named several times has one text in memory, and one for each of its places in the answer.
    const places = Map.groupBy(outcomes, (outcome) => ("row" in outcome ? outcome.row : null));
    const room = answerRoom();
    const texts = await presentRows(writing, records.resource, rows, (text, i) =>
      room(text.length * (places.get(rows[i] ?? null)?.length ?? 1)),
    );
    const textOf = new Map(rows.map((row, i) => [row, texts[i] ?? "null"]));
    const entry = (outcome: Outcome) => {
      if ("error" in outcome) return failed(outcome.error, publicUrl);
      const { row, warnings } = outcome;
      const more = { ...extraMembers(outcome), ...(warnings.length > 0 && { warnings }) };
      return succeeded(textOf.get(row) ?? "null", more);
    };
    return results(outcomes.map(entry));
  });
}

function deleteAll(
  records: Records,
  { publicUrl }: Options,
  ctx: ActionContext<BatchParams<{ id: string }>>,
): Promise<string> {
  return records.store.writeMany(callerOf(ctx), async (writing) => {
    const scope = scopeOfBatch(records, writing, ctx.params);
    const outcomes = await batchDelete(writing, records.resource, scope, ctx.params.body.records);
    return results(
      outcomes.map((outcome) =>
        "error" in outcome ? failed(outcome.error, publicUrl) : succeeded(JSON.stringify(outcome), {}),
      ),
    );
  });
}
