import { plainHeadingText, quoted } from "contact-workspace-readers/cell-text";
import { withLineFeeds } from "contact-workspace-readers/line-feeds";
import { isMap, isScalar } from "yaml";
import { comparable } from "../../base/values/text.ts";
import { nameOf, readYaml } from "../terminal/yaml-file.ts";
import { ID_FIELD, type ImportKind, NATIVE_FIELDS } from "./headings.ts";

/** Options that an entry of a map can have besides the field. docs/guides/import-matching.md#a-map-of-columns */
const MAP_OPTIONS = ["field", "pattern", "split"];

/**
 * The JSON schema of a file for `--map`, for editors: docs/import-map.schema.json. A test compares the two, and the
 * schema with what `readMap` takes.
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
      description: "A regular expression. Its first group is the value, or else the whole match",
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

/** Target of a column by the map. docs/guides/import-matching.md#a-map-of-columns */
export interface Mapped {
  /** The name of a native or custom field; null leaves the column out. */
  field: string | null;
  /** Takes a part of the cell: the first group, or the whole match. */
  pattern?: RegExp;
  /** Makes several values of one cell. */
  split?: string;
}

/** Names that a map can use. */
export interface Nameable {
  headings: string[];
  kind: ImportKind;
  group: { name: string };
  fields: { name: string }[];
  /** Whether fields that the group lacks are made. */
  makesFields: boolean;
}

/**
 * Reads a map: `column: field` or `column: { field, pattern, split }`, by the heading of the column.
 * @throws CommandError that names file and line
 */
export function readMap(file: string, known: Nameable): Map<string, Mapped> {
  const { documents, fault } = readYaml(file);
  const [document, second] = documents;
  const { node, value } = document ?? { node: null, value: null };
  if (!isMap(node) || typeof value !== "object" || value === null)
    throw fault(0, "must be lines of the form column: field");
  if (second) throw fault(second.node?.range?.[0] ?? 0, "is a second document: a map is one");
  const fields = new Map<string, unknown>(Object.entries(value));
  const entries = node.items.map(({ key }): [string, Mapped] => {
    const name = nameOf(key);
    const heading = plainHeadingText(name);
    const faultHere = (message: string) => fault(isScalar(key) ? (key.range?.[0] ?? 0) : 0, message);
    if (!known.headings.includes(heading))
      throw faultHere(`there is no column ${quoted(heading)}. There are: ${known.headings.join(", ")}`);
    const faultOfEntry = (message: string) => faultHere(`${heading}: ${message}`);
    const mapped = mappedTo(fields.get(name), faultOfEntry);
    if (mapped.field !== null) needField(mapped.field, known, faultOfEntry);
    return [heading, mapped];
  });
  return new Map(entries);
}

function mappedTo(value: unknown, fault: (message: string) => Error): Mapped {
  if (value === null || value === false) return { field: null };
  if (typeof value === "string") return { field: nonEmpty(value, fault) };
  if (typeof value !== "object" || Array.isArray(value))
    throw fault("must be the name of a field, or { field, pattern, split }, or null, which leaves the column out");
  const options: { field?: unknown; pattern?: unknown; split?: unknown } = value;
  const unknown = Object.keys(options).find((name) => !MAP_OPTIONS.includes(name));
  if (unknown !== undefined) throw fault(`"${unknown}" is unknown here. There are: ${MAP_OPTIONS.join(", ")}`);
  const { field, pattern, split } = options;
  if (typeof field !== "string") throw fault("field is missing: it is the name of a field");
  if (split !== undefined && (typeof split !== "string" || split === "")) throw fault("split must be a text");
  return {
    field: nonEmpty(field, fault),
    ...(pattern !== undefined && { pattern: patternOf(pattern, fault) }),
    ...(split !== undefined && { split: withLineFeeds(split) }),
  };
}

function nonEmpty(name: string, fault: (message: string) => Error): string {
  if (name.trim() === "") throw fault("the name of the field is empty; null leaves the column out");
  return name;
}

function patternOf(source: unknown, fault: (message: string) => Error): RegExp {
  if (typeof source !== "string") throw fault("pattern must be a text");
  try {
    return new RegExp(source, "u");
  } catch (error) {
    throw fault(`pattern is not a regular expression: ${(error as Error).message}`);
  }
}

/**
 * A field has to be native, or a custom one of the group. With `--fields` others are made, but for those that are
 * native but for their case.
 */
function needField(
  field: string,
  { kind, group, fields, makesFields }: Nameable,
  fault: (message: string) => Error,
): void {
  const native = [...NATIVE_FIELDS[kind].map(({ name }) => name), ID_FIELD];
  const name = comparable(field.trim());
  if (native.includes(field) || fields.some((one) => comparable(one.name) === name)) return;
  const meant = native.find((one) => one.toLowerCase() === name.toLowerCase());
  if (meant !== undefined) throw fault(`there is no field ${quoted(field)}. It is written ${meant}`);
  if (makesFields) return;
  const customNames = fields.map((one) => one.name).join(", ") || "none";
  throw fault(
    `there is no field ${quoted(field)}. There are: ${native.join(", ")}; custom fields of the group "${group.name}": ${customNames}. --fields creates it`,
  );
}
