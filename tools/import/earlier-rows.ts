import type { ImportRow } from "../../engine/records/import-entry.ts";
import type { ImportResult } from "../../engine/records/import-rows.ts";

/**
 * Rows of a dry run that later rows about the same records depend on. Each batch of a dry run is rolled back, so these
 * rows are put before a later batch again, all rows about one record as one. docs/guides/import.md#dry-run
 */
export interface EarlierRows {
  /** The rows to put before a batch: those about its records that are not in it. */
  before(batch: ImportRow[]): ImportRow[];
  /** Takes the rows that a batch has tried, with their results. */
  keep(rows: ImportRow[], results: ImportResult[]): void;
}

/** @param firstLines the lines of the rows that are kept; more come as rows are tried */
export function createEarlierRows(firstLines: ReadonlySet<number>): EarlierRows {
  /** Line of a row → the row that all about its record make together. */
  const kept = new Map<number, ImportRow>();

  function firstOf(repeats: number | undefined): ImportRow | undefined {
    return repeats === undefined ? undefined : kept.get(repeats);
  }

  return {
    before: (batch) => {
      const rows = new Set(batch.flatMap(({ repeats }) => firstOf(repeats) ?? []));
      return [...rows].map(({ repeats: _repeats, of: _of, ...row }) => row);
    },
    keep(rows, results) {
      for (const [i, row] of rows.entries()) {
        const result = results[i];
        if (result && "outcome" in result) keepRow(row, result);
      }
    },
  };

  function keepRow(row: ImportRow, { without, repeats }: ImportResult): void {
    if (row.line === undefined) return;
    const taken = withoutRefused(row, without);
    const first = firstOf(repeats);
    if (first) unite(first, taken);
    if (firstLines.has(row.line)) kept.set(row.line, first ?? taken);
  }
}

function withoutRefused({ fields, values, ...row }: ImportRow, without: ImportResult["without"]): ImportRow {
  const isRefused = (...path: (string | number)[]) =>
    without.some((fault) => path.every((part, i) => fault.path[i] === part) && fault.path.length <= path.length);
  const kept = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return [[name, value.filter((_, i) => !isRefused(name, i))]];
    return isRefused(name) ? [] : [[name, value]];
  });
  const keptValues = Object.entries(values).filter(([name]) => !isRefused("customFieldValues", name));
  return { ...row, fields: Object.fromEntries(kept), values: Object.fromEntries(keptValues) };
}

/** A later row fills the empty fields of the first one and adds to its lists. */
function unite(first: ImportRow, later: ImportRow): void {
  const fields = new Map(Object.entries(first.fields));
  for (const [name, value] of Object.entries(later.fields)) {
    const before = fields.get(name);
    if (Array.isArray(before) && Array.isArray(value)) fields.set(name, [...new Set([...before, ...value])]);
    else if (before === undefined) fields.set(name, value);
  }
  first.fields = Object.fromEntries(fields);
  first.values = Object.fromEntries([...Object.entries(later.values), ...Object.entries(first.values)]);
}
