import { closed, DRY_RUN, nullable, oneOf, plainText, type TSchema, Type } from "../../base/contract/schema.ts";
import { idLength } from "../../base/values/ids.ts";
import { MATCH_KEY_LENGTH_MAX, MATCH_KEYS_MAX } from "../../config/limits.ts";
import { upsertOne } from "../../engine/records/upsert.ts";
import type { UpsertOptions } from "../../engine/records/upsert-step.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { UPSERTED } from "../batch-schemas.ts";
import { type PathParams, withArticle } from "../path.ts";
import { type ScopedType, scopeIn } from "../records.ts";
import { answeredRecord } from "./records.ts";
import type { Work } from "./work.ts";

/** Parameters of the upsert of one record. */
export type UpsertParams = PathParams & { body: UpsertOptions & { record: RequestBody } };

/** Members of the body of an upsert beside its keys and records. */
export const UPSERT_OPTIONS = {
  mode: Type.Optional(oneOf(["upsert", "update", "create"], { default: "upsert" })),
  lists: Type.Optional(oneOf(["replace", "add"], { default: "replace" })),
};

/** The work that writes a record without knowing whether it is there. docs/guides/upsert.md */
export function upsertWork(records: ScopedType): Work<UpsertParams> {
  const { resource, scoping } = records;
  const { title } = resource;
  const body = closed(
    { match: matchSchema(resource), record: recordSchema(resource), ...UPSERT_OPTIONS },
    { title: `${title}Upsert` },
  );
  return {
    summary: `Upsert ${withArticle(title.toLowerCase())}`,
    description: "Finds the record by the values of its match keys and patches it, or makes it if there is none.",
    params: closed({ ...scoping?.path, ...DRY_RUN, body }),
    returns: { data: resource.schema, hasTag: true, beside: UPSERTED },
    async run(writing, params) {
      const scope = scopeIn(records, writing.definitions, writing.caller, params);
      const { row, operation, matchedBy } = await upsertOne(writing, resource, scope, params.body);
      const beside = { operation: JSON.stringify(operation), matchedBy: JSON.stringify(matchedBy) };
      return { ...(await answeredRecord(writing, resource, row)), beside };
    },
    isPatient: true,
    serializeBy: ({ body: sent }, { workspaceId }) => firstValue(workspaceId, sent),
  };
}

/**
 * A text that upserts of one value share as a rule. They wait for each other in any case, and should not hold
 * connections meanwhile.
 */
function firstValue(workspaceId: string, { match: [key = ""], record }: UpsertParams["body"]): string | undefined {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  return value === undefined ? undefined : `${workspaceId} ${key} ${JSON.stringify(value).toLowerCase()}`;
}

/** The schema of the match keys of an upsert. docs/guides/upsert.md#match-keys */
export function matchSchema({ nameField, addressesTable }: RecordType): TSchema {
  return Type.Array(plainText(MATCH_KEY_LENGTH_MAX), {
    minItems: 1,
    maxItems: MATCH_KEYS_MAX,
    description: "Fields that find the record, tried in their order",
    example: [addressesTable === null ? nameField : "emails"],
  });
}

/** The body of a create, with the `id` of a record that a match key may name. docs/guides/upsert.md#match-keys */
export function recordSchema({ kind, title, createBody }: RecordType): TSchema {
  const id = nullable(
    Type.String({ maxLength: idLength(kind), plainText: false, description: "Only where a match key is `id`" }),
  );
  const { properties, ...rest } = createBody as TSchema & { properties: Record<string, TSchema> };
  return { ...rest, title: `${title}UpsertRecord`, properties: { id, ...properties } } as unknown as TSchema;
}
