import { isMap, isScalar } from "yaml";
import { nameOf, readYaml } from "../yaml-file.ts";

/** Where a column goes by the map. docs/guides/import.md#a-map-of-columns */
export interface Mapped {
  /** The name of a native or custom field; null leaves the column out. */
  field: string | null;
  /** Takes a part of the cell: the first group, or the whole match. */
  pattern?: RegExp;
  /** Makes several values of one cell. */
  split?: string;
}

const OPTIONS = ["field", "pattern", "split"];

/**
 * Reads a map: `column: field` or `column: { field, pattern, split }`, by the heading of the column.
 * @throws CommandError that names file and line
 */
export function readMap(file: string, headings: string[]): Map<string, Mapped> {
  const { documents, fault } = readYaml(file);
  const [document, second] = documents;
  const { node, value } = document ?? { node: null, value: null };
  if (!isMap(node) || typeof value !== "object" || value === null)
    throw fault(0, "must be lines of the form column: field");
  if (second) throw fault(second.node?.range?.[0] ?? 0, "is a second document: a map is one");
  const fields = new Map<string, unknown>(Object.entries(value));
  const entries = node.items.map(({ key }): [string, Mapped] => {
    const heading = nameOf(key);
    const faultHere = (message: string) => fault(isScalar(key) ? (key.range?.[0] ?? 0) : 0, message);
    if (!headings.includes(heading))
      throw faultHere(`there is no column "${heading}". There are: ${headings.join(", ")}`);
    return [heading, mappedTo(fields.get(heading), (message) => faultHere(`${heading}: ${message}`))];
  });
  return new Map(entries);
}

function mappedTo(value: unknown, fault: (message: string) => Error): Mapped {
  if (value === null || value === false) return { field: null };
  if (typeof value === "string") return { field: value };
  if (typeof value !== "object" || Array.isArray(value))
    throw fault("must be the name of a field, or { field, pattern, split }");
  const options: { field?: unknown; pattern?: unknown; split?: unknown } = value;
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw fault(`"${unknown}" is unknown here. There are: ${OPTIONS.join(", ")}`);
  const { field, pattern, split } = options;
  if (typeof field !== "string") throw fault("field is missing");
  if (split !== undefined && (typeof split !== "string" || split === "")) throw fault("split must be a text");
  return {
    field,
    ...(pattern !== undefined && { pattern: patternOf(pattern, fault) }),
    ...(split !== undefined && { split }),
  };
}

function patternOf(source: unknown, fault: (message: string) => Error): RegExp {
  try {
    return new RegExp(String(source), "u");
  } catch (error) {
    throw fault(`pattern is no regular expression: ${(error as Error).message}`);
  }
}
