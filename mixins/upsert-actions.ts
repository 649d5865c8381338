import type { Path } from "../base/contract/issues.ts";
import { closed, DRY_RUN, Type } from "../base/contract/schema.ts";
import { issuesOf } from "../base/contract/validate.ts";
import { BATCH_RECORDS_MAX } from "../config/limits.ts";
import { recordAt } from "../engine/records/batch.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import { upsertAll } from "../engine/records/upsert.ts";
import type { UpsertOptions, UpsertOutcome } from "../engine/records/upsert-step.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { RecordType } from "../model/resources/record-type.ts";
import { answerRoom, failed, results, scopeOfBatch, succeeded } from "./batch-entries.ts";
import { looserBody, upsertResultSchema } from "./batch-schemas.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { PathParams } from "./path.ts";
import type { Records } from "./records.ts";
import { matchSchema, recordSchema, UPSERT_OPTIONS, upsertWork } from "./works/upsert.ts";
import { actionOf } from "./works/work.ts";

type BatchParams = PathParams & { body: UpsertOptions & { records: RequestBody[] } };

interface Options {
  publicUrl: string;
}

/**
 * The actions that write a record without knowing whether it is there: one, and many in one transaction.
 * docs/guides/upsert.md
 */
export function upsertActions(records: Records, options: Options) {
  const { resource, scoping } = records;
  const { table } = resource;
  const record = recordSchema(resource);
  const match = matchSchema(resource);
  const items = Type.Array(looserBody(record), { minItems: 1, maxItems: BATCH_RECORDS_MAX });
  return {
    upsert: actionOf(records.store, upsertWork(records)),
    batchUpsert: {
      summary: `Upsert many ${table}`,
      description: `Up to ${BATCH_RECORDS_MAX} records. Each sees what those before it have made, and succeeds or fails by itself.`,
      params: closed({ ...scoping?.path, ...DRY_RUN, body: closed({ match, records: items, ...UPSERT_OPTIONS }) }),
      returns: { data: closed({ results: Type.Array(upsertResultSchema(resource)) }) },
      handler: (ctx: ActionContext<BatchParams>) => upsertBatch(records, options, ctx),
    },
  };
}

function upsertBatch(records: Records, { publicUrl }: Options, ctx: ActionContext<BatchParams>): Promise<string> {
  const { resource, store } = records;
  const { body, ...params } = ctx.params;
  return store.writeMany(callerOf(ctx), async (writing) => {
    const texts: string[] = [];
    const outcomes = await upsertAll(writing, {
      resource,
      scope: scopeOfBatch(records, writing, params as PathParams),
      options: body,
      records: body.records,
      matchAt: ["match"],
      placesOf: (i) => ({ record: recordAt(i), key: () => recordAt(i) }),
      unseenGroups: "warn",
      check: (sent, at) => schemaIssues(resource, sent, at),
      written: takeTexts(writing, resource, texts),
    });
    return results(outcomes.map((outcome, i) => entryOf(outcome, texts[i] ?? "null", publicUrl)));
  });
}

/** Issues of a record by the schema of the single create. docs/guides/batches.md#what-fails-one-record */
function schemaIssues({ createBody }: RecordType, { id: _, ...sent }: RequestBody, at: Path) {
  return issuesOf(createBody, sent, at);
}

/** Makes the texts of the records of a wave, as they are at their turn. */
function takeTexts(writing: WriteContext, resource: RecordType, texts: string[]) {
  const room = answerRoom();
  return async (wave: readonly { place: number; outcome: UpsertOutcome }[]) => {
    const shown = wave.flatMap(({ place, outcome }) => ("row" in outcome ? [{ place, row: outcome.row }] : []));
    const rows = shown.map(({ row }) => row);
    const made = await presentRows(writing, resource, rows, (text) => room(text.length));
    for (const [i, { place }] of shown.entries()) texts[place] = made[i] ?? "null";
  };
}

function entryOf(outcome: UpsertOutcome, text: string, publicUrl: string): string {
  if ("error" in outcome) return failed(outcome.error, publicUrl);
  const { operation, matchedBy, warnings } = outcome;
  return succeeded(text, { operation, matchedBy, ...(warnings.length > 0 && { warnings }) });
}
