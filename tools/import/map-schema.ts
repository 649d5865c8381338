import { ID_FIELD, NATIVE_FIELDS } from "./headings.ts";

/** What an entry of a map may say besides the field. docs/guides/import.md#a-map-of-columns */
export const MAP_OPTIONS = ["field", "pattern", "split"];

/**
 * The JSON schema of a file for `--map`, for editors: docs/import-map.schema.json. A test compares the two, and the schema with what
 * `readMap` takes.
 */
export function mapSchema(): Record<string, unknown> {
  const names = Object.values(NATIVE_FIELDS).flatMap((fields) => fields.map(({ name }) => name));
  const field = {
    description: "A native field by its name in the API, or a custom field of the group by its name",
    anyOf: [{ enum: [...new Set([...names, ID_FIELD])].sort() }, { type: "string", pattern: "\\S" }],
  };
  const options: Record<string, unknown> = {
    field,
    pattern: {
      type: "string",
      format: "regex",
      description: "A regular expression, of which the first group is taken, or else the whole match",
    },
    split: { type: "string", minLength: 1, description: "Divides a cell into several values" },
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Map of the columns of an import",
    description: "Heading of a column, exactly as the file has it, and the field where its cells go",
    type: "object",
    additionalProperties: {
      anyOf: [
        field,
        { enum: [null, false], description: "The column is left out" },
        {
          type: "object",
          properties: Object.fromEntries(MAP_OPTIONS.map((name) => [name, options[name]])),
          required: ["field"],
          additionalProperties: false,
        },
      ],
    },
  };
}
