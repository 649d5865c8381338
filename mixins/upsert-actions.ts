import type { Answer } from "../base/contract/answer.ts";
import type { Path } from "../base/contract/issues.ts";
import { closed, DRY_RUN, nullable, oneOf, plainText, type TSchema, Type } from "../base/contract/schema.ts";
import { issuesOf } from "../base/contract/validate.ts";
import { idLength } from "../base/values/ids.ts";
import { BATCH_RECORDS_MAX, MATCH_KEY_LENGTH_MAX, MATCH_KEYS_MAX } from "../config/limits.ts";
import { recordAt } from "../engine/records/batch.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { presentRows } from "../engine/records/shown-texts.ts";
import { upsertAll, upsertOne } from "../engine/records/upsert.ts";
import type { UpsertOptions, UpsertOutcome } from "../engine/records/upsert-step.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { RecordType } from "../model/resources/record-type.ts";
import { answerRoom, failed, results, scopeOfBatch, succeeded } from "./batch-entries.ts";
import { looserBody, UPSERTED, upsertResultSchema } from "./batch-schemas.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { PathParams } from "./path.ts";
import { answeredRecord } from "./record-actions.ts";
import { type Records, scopeIn } from "./records.ts";

type Params = PathParams & { body: UpsertOptions & { record: RequestBody } };
type BatchParams = PathParams & { body: UpsertOptions & { records: RequestBody[] } };

interface Options {
  publicUrl: string;
}

const OPTIONS = {
  mode: Type.Optional(oneOf(["upsert", "update", "create"], { default: "upsert" })),
  lists: Type.Optional(oneOf(["replace", "add"], { default: "replace" })),
};

/**
 * The actions that write a record without knowing whether it is there: one, and many in one transaction.
 * docs/guides/upsert.md
 */
export function upsertActions(records: Records, options: Options) {
  const { resource, scoping } = records;
  const { table, title } = resource;
  const record = recordSchema(resource);
  const match = matchSchema(resource);
  const body = closed({ match, record, ...OPTIONS }, { title: `${title}Upsert` });
  const items = Type.Array(looserBody(record), { minItems: 1, maxItems: BATCH_RECORDS_MAX });
  return {
    upsert: {
      summary: `Upsert ${/^[aeiou]/i.test(title) ? "an" : "a"} ${title.toLowerCase()}`,
      description: "Finds the record by the values of its match keys and patches it, or makes it if there is none.",
      params: closed({ ...scoping?.path, ...DRY_RUN, body }),
      returns: { data: resource.schema, hasTag: true, beside: UPSERTED },
      handler: (ctx: ActionContext<Params>) => upsert(records, ctx),
    },
    batchUpsert: {
      summary: `Upsert many ${table}`,
      description: `Up to ${BATCH_RECORDS_MAX} records. Each sees what those before it have made, and succeeds or fails by itself.`,
      params: closed({ ...scoping?.path, ...DRY_RUN, body: closed({ match, records: items, ...OPTIONS }) }),
      returns: { data: closed({ results: Type.Array(upsertResultSchema(resource)) }) },
      handler: (ctx: ActionContext<BatchParams>) => upsertBatch(records, options, ctx),
    },
  };
}

function matchSchema({ nameField, addressesTable }: RecordType): TSchema {
  return Type.Array(plainText(MATCH_KEY_LENGTH_MAX), {
    minItems: 1,
    maxItems: MATCH_KEYS_MAX,
    description: "Fields that find the record, tried in their order",
    example: [addressesTable === null ? nameField : "emails"],
  });
}

/** The body of a create, with the `id` of a record that a match key may name. docs/guides/upsert.md#match-keys */
function recordSchema({ kind, title, createBody }: RecordType): TSchema {
  const id = nullable(
    Type.String({ maxLength: idLength(kind), plainText: false, description: "Only where a match key is `id`" }),
  );
  const { properties, ...rest } = createBody as TSchema & { properties: Record<string, TSchema> };
  return { ...rest, title: `${title}UpsertRecord`, properties: { id, ...properties } } as unknown as TSchema;
}

function upsert(records: Records, ctx: ActionContext<Params>): Promise<Answer> {
  const { resource, store } = records;
  const caller = callerOf(ctx);
  const { body } = ctx.params;
  return store.writePatiently(
    caller,
    async (writing) => {
      const scope = scopeIn(records, writing.definitions, caller, ctx.params);
      const { row, operation, matchedBy } = await upsertOne(writing, resource, scope, body);
      const beside = { operation: JSON.stringify(operation), matchedBy: JSON.stringify(matchedBy) };
      return { ...(await answeredRecord(writing, resource, row)), beside };
    },
    { serializeBy: firstValue(caller.workspaceId, body) },
  );
}

/**
 * A text that upserts of one value share as a rule. They wait for each other in any case, and should not hold
 * connections meanwhile.
 */
function firstValue(workspaceId: string, { match: [key = ""], record }: Params["body"]): string | undefined {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  return value === undefined ? undefined : `${workspaceId} ${key} ${JSON.stringify(value).toLowerCase()}`;
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
