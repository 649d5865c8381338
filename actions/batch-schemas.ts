import { closed, idSchema, nullable, oneOf, type TSchema, Type } from "../lib/contract/schema.ts";
import type { RecordType } from "../lib/resources/record-type.ts";

/**
 * A body for a record of a batch: as of the single operation, with further properties, but without what fails only its own
 * record: invalid Unicode, and everything under customFieldValues. API document, "Batch endpoints", rule 10; gaps 4, "Batch".
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

/** Takes every object, and is described as the schema that looks into it. */
function anyObject({ documentedAs }: TSchema): TSchema {
  return Type.Unsafe({ type: "object", documentedAs });
}

function withoutTextRule(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTextRule);
  if (typeof schema !== "object" || schema === null) return schema;
  // What is no text at all is a wrong type, and refuses the whole request.
  const entries = Object.entries(schema).map(([keyword, value]) =>
    keyword === "plainText" ? [keyword, false] : [keyword, withoutTextRule(value)],
  );
  return Object.fromEntries(entries);
}

const place = Type.Array(Type.Union([Type.String(), Type.Integer()]));

/** An entry of a batch answer: the record, or why it failed. API document, "Batch result entry". */
export function batchResultSchema(resource: RecordType, data: TSchema = resource.schema): TSchema {
  const succeeded = closed({
    status: oneOf(["succeeded"]),
    data,
    operation: Type.Optional(oneOf(["created", "updated"])),
    removedGroups: Type.Optional(Type.Array(closed({ id: idSchema("group") }))),
    warnings: Type.Optional(
      Type.Array(closed({ code: oneOf(["GROUP_NOT_ADDED"]), message: Type.String(), path: place })),
    ),
  });
  const failed = closed({
    status: oneOf(["failed"]),
    error: closed({
      code: oneOf(["NOT_FOUND", "FORBIDDEN", "UNPROCESSABLE_ENTITY"]),
      message: Type.String(),
      documentationUrl: Type.String({ format: "uri" }),
      details: Type.Optional(nullable(Type.Object({}))),
    }),
  });
  return Type.Union([succeeded, failed]);
}
