import { SLUG, workspaceFile } from "../../services/workspaces/workspace-file/workspace-file.schema.ts";
import { createSchemas, type Schema } from "./schemas.ts";

/**
 * The JSON Schema of a workspace file, by which editors complete and check it:
 * docs/guides/workspace-file.md#in-an-editor. It is of draft 7, which editors know best, and of one document; a file
 * may also be a list of them.
 */
export function workspaceFileSchema(): Schema {
  const document = choicesByTag(createSchemas([]).translate(workspaceFile, "request", "")) as Schema;
  const { workspace, ...properties } = document.properties as Record<string, Schema>;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Workspace file of a Contact Workspace server",
    description: "Workspaces with their users, groups, members and custom fields, for the command apply",
    if: { type: "array" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { items: { $ref: "#/definitions/workspace" } },
    else: { $ref: "#/definitions/workspace" },
    definitions: {
      workspace: { ...document, properties: { workspace: { ...workspace, pattern: SLUG.source }, ...properties } },
    },
  };
}

/** Members that distinguish several objects: the type of a field, the format of a number config. */
const TAGS = ["type", "format"];

interface Choice extends Schema {
  properties: Record<string, Schema & { enum?: string[] }>;
  required: string[];
}

/**
 * A schema in which a choice of objects first lists its possible tags, and then the fields of each. With a `oneOf` and
 * a wrong tag an editor would report the missing fields of the first object, and only a part of the possible values.
 */
function choicesByTag(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(choicesByTag);
  const { oneOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, choicesByTag(value)]),
  ) as { oneOf?: Choice[] };
  const tag = TAGS.find((name) => oneOf?.every(({ properties }) => properties[name]?.enum));
  if (!oneOf || tag === undefined) return { ...rest, ...(oneOf && { oneOf }) };
  const common = Object.entries(oneOf[0]?.properties ?? {}).filter(([name]) =>
    oneOf.every(({ properties }) => name in properties),
  );
  const values = oneOf.flatMap(({ properties }) => properties[tag]?.enum ?? []);
  return {
    ...rest,
    required: oneOf[0]?.required.filter((name) => oneOf.every(({ required }) => required.includes(name))),
    properties: { ...Object.fromEntries(common), [tag]: { ...oneOf[0]?.properties[tag], enum: values } },
    allOf: oneOf.map((one) => ({
      if: { properties: { [tag]: { enum: one.properties[tag]?.enum } }, required: [tag] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: one,
    })),
  };
}
