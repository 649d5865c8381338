import { comparable } from "../../lib/values/text.ts";
import type { Column } from "./columns.ts";
import type { NamedField } from "./new-fields.ts";
import { type ImportRow, type Refused, toRecord } from "./row.ts";
import type { Table } from "./sources/table.ts";

/** What an import prints: four counts, and the rows that were refused. docs/guides/import.md#a-first-import */
export interface ImportAnswer {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: Refused[];
}

type Outcome = "created" | "updated" | "unchanged";

/** What the write action answers of a row. */
export type Result = { outcome: Outcome; keys?: string[] } | { refused: string; path: (string | number)[] };

interface Work {
  columns: Column[];
  customFields: NamedField[];
  write(rows: ImportRow[]): Promise<Result[]>;
  onBytes(bytes: number): void;
}

interface Waiting {
  line: number;
  row: ImportRow;
  /** The cells that count. */
  text: string;
}

const BATCH_ROWS = 500;

/** Writes the rows of a file batch by batch, and counts what became of them. */
export async function importRows(file: Table, { columns, customFields, write, onBytes }: Work): Promise<ImportAnswer> {
  const answer: ImportAnswer = { read: 0, created: 0, updated: 0, unchanged: 0, refused: [] };
  const known = columns.filter(({ target }) => target.to !== "nowhere");
  const fields = new Map(
    known.flatMap(({ target }) => {
      const field = target.to === "custom" ? fieldNamed(customFields, target.name) : undefined;
      return target.to === "custom" && field ? [[target.name, field] as const] : [];
    }),
  );
  const tried = new Map<string, string>();
  let batch: Waiting[] = [];

  async function flush(): Promise<void> {
    const results = batch.length === 0 ? [] : await write(batch.map(({ row }) => row));
    for (const [i, waiting] of batch.entries()) {
      const result = results[i] ?? { refused: "Nothing was written", path: [] };
      if ("outcome" in result) answer[outcomeOf(result, waiting, tried)] += 1;
      else answer.refused.push({ line: waiting.line, column: columnAt(known, result.path), reason: result.refused });
    }
    batch = [];
  }

  for await (const { line, cells, refused } of file.rows(onBytes)) {
    answer.read += 1;
    if (refused !== undefined) {
      answer.refused.push({ line, column: null, reason: refused });
      continue;
    }
    const row = wrongLength(cells.length, file.headings.length) ?? toRecord(known, fields, cells);
    if ("reason" in row) answer.refused.push({ line, ...row });
    else batch.push({ line, row, text: JSON.stringify(known.map(({ index }) => cells[index] ?? "")) });
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  answer.refused.sort((a, b) => a.line - b.line);
  return answer;
}

function fieldNamed(fields: NamedField[], name: string): NamedField | undefined {
  return fields.find((field) => comparable(field.name) === comparable(name));
}

/** Cells that are missing at the end of a row are empty; one cell alone, or too many, are a mistake. */
function wrongLength(cells: number, headings: number): Omit<Refused, "line"> | undefined {
  if (cells <= headings && (cells > 1 || headings === 1)) return undefined;
  return {
    column: null,
    reason: `The row has ${cells} cells, the heading ${headings}: a delimiter or a quote is wrong`,
  };
}

/** The rows of a dry run leave nothing behind for later ones to find: what those would have found is kept here. */
function outcomeOf(
  { outcome, keys = [] }: Extract<Result, { outcome: unknown }>,
  { text }: Waiting,
  tried: Map<string, string>,
): Outcome {
  const before = keys.map((key) => tried.get(key)).find((found) => found !== undefined);
  for (const key of keys) tried.set(key, text);
  if (before !== undefined) return before === text ? "unchanged" : "updated";
  return outcome;
}

/** The heading of the column that a fault is about. */
function columnAt(columns: Column[], path: (string | number)[]): string | null {
  const name = path[0] === "customFieldValues" ? path[2] : path[0];
  const found = columns.filter(({ target }) =>
    target.to === "address" ? name === "addresses" : target.to !== "nowhere" && target.name === name,
  );
  const at = typeof path[1] === "number" ? path[1] : 0;
  return (found[at] ?? found[0])?.heading ?? null;
}
