import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { CommandError } from "../admin.ts";
import { readText } from "../workspace-file.ts";

/** Where a column goes, as MAP.yaml says: null leaves it out. */
export interface Mapped {
  field: string | null;
  /** Takes a part of the cell: the first group, or the whole match. */
  pattern?: RegExp;
  /** Makes several values of one cell. */
  split?: string;
}

const OPTIONS = ["field", "pattern", "split"];

/**
 * Reads `column: field` or `column: { field, pattern, split }` by heading.
 * @throws CommandError naming file and line
 */
export function readMap(file: string, headings: string[]): Map<string, Mapped> {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const fault = (offset: number, message: string) =>
    new CommandError(`${file}:${lines.linePos(offset).line}: ${message}`);
  const [error] = document.errors;
  if (error) throw fault(error.pos[0], error.message);
  if (!isMap(document.contents)) throw fault(0, "must be lines of the form column: field");
  const entries = document.contents.items.map(({ key, value }): [string, Mapped] => {
    const heading = isScalar(key) ? String(key.value) : "";
    const faultHere = (message: string) => fault(isScalar(key) ? (key.range?.[0] ?? 0) : 0, message);
    if (!headings.includes(heading))
      throw faultHere(`there is no column "${heading}". There are: ${headings.join(", ")}`);
    return [heading, mappedTo(isScalar(value) ? value.value : value, (message) => faultHere(`${heading}: ${message}`))];
  });
  return new Map(entries);
}

function mappedTo(value: unknown, fault: (message: string) => Error): Mapped {
  if (value === null || value === false) return { field: null };
  if (typeof value === "string") return { field: value };
  if (!isMap(value)) throw fault("must be the name of a field, or { field, pattern, split }");
  const options: Record<string, unknown> = value.toJSON();
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
