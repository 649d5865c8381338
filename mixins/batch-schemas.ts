import { closed, idSchema, nullable, oneOf, type TSchema, Type } from "../base/contract/schema.ts";
import type { RecordType } from "../model/resources/record-type.ts";

/**
 * The schema of one record in the body of a batch: the body of the single operation, with the properties in `more`,
 * which are required. It lets pass what fails only the record and not the whole batch: invalid Unicode, and everything
 * inside customFieldValues. docs/guides/batches.md#what-fails-one-record
 */
export function looserBody(body: TSchema, more: Record<string, TSchema> = {}): TSchema {
  const { properties, required = [], title, ...rest } = withoutTextRule(body) as BodySchema;
  const { customFieldValues } = properties;
  return {
    ...rest,
    title: `Batch${title}`,
    properties: {
      ...more,
      ...properties,
      ...(customFieldValues && { customFieldValues: anyObject(customFieldValues) }),
    },
    required: [...Object.keys(more), ...required],
  } as unknown as TSchema;
}

interface BodySchema {
  properties: Record<string, TSchema>;
  required?: string[];
  title: string;
}

/**
 * A schema that takes every object. The OpenAPI document describes it like the schema that it stands for, which looks
 * inside.
 */
function anyObject({ documentedAs }: TSchema): TSchema {
  return Type.Unsafe({ type: "object", documentedAs });
}

/** The schema without its checks for invalid Unicode, however deep in it they stand. */
function withoutTextRule(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTextRule);
  if (typeof schema !== "object" || schema === null) return schema;
  // The keyword is switched off and not removed, because it also refuses values that are not texts, and those fail the
  // whole batch.
  const entries = Object.entries(schema).map(([keyword, value]) =>
    keyword === "plainText" ? [keyword, false] : [keyword, withoutTextRule(value)],
  );
  return Object.fromEntries(entries);
}

const place = Type.Array(Type.Union([Type.String(), Type.Integer()]));

const warning = closed(
  { code: oneOf(["GROUP_NOT_ADDED"]), message: Type.String(), path: place },
  { title: "BatchWarning" },
);

const failed = closed(
  {
    status: oneOf(["failed"]),
    error: closed({
      code: oneOf(["NOT_FOUND", "FORBIDDEN", "UNPROCESSABLE_ENTITY"]),
      message: Type.String(),
      documentationUrl: Type.String({ format: "uri" }),
      details: Type.Optional(Type.Object({}, { component: "ValidationDetails" })),
    }),
  },
  { title: "BatchFailure" },
);

/** The operation of an upsert, and the key by which it found its record. docs/guides/upsert.md#the-answer */
export const UPSERTED = {
  operation: oneOf(["created", "updated", "unchanged"]),
  matchedBy: nullable(Type.String({ description: "The key that has found the record; null for one that was made" })),
};

/** The schema of an entry in the answer of a batch of upserts. docs/guides/upsert.md#batches */
export function upsertResultSchema({ schema }: RecordType): TSchema {
  const succeeded = closed(
    { status: oneOf(["succeeded"]), data: schema, ...UPSERTED, warnings: Type.Optional(Type.Array(warning)) },
    { title: "UpsertSuccess" },
  );
  return Type.Union([succeeded, failed], { title: "UpsertResult" });
}

/** The schema of an entry in the answer of a batch: the record, or why it failed. docs/guides/batches.md#entries */
export function batchResultSchema(resource: RecordType, data: TSchema = resource.schema): TSchema {
  const what = data === resource.schema ? "Batch" : "BatchDelete";
  const succeeded = closed(
    {
      status: oneOf(["succeeded"]),
      data,
      operation: Type.Optional(oneOf(["created", "updated"])),
      removedGroups: Type.Optional(Type.Array(closed({ id: idSchema("group") }))),
      warnings: Type.Optional(Type.Array(warning)),
    },
    { title: `${what}Success` },
  );
  return Type.Union([succeeded, failed], { title: `${what}Result` });
}
