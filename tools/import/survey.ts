import { trimmed } from "contact-workspace-readers/cell-text";
import type { Table } from "contact-workspace-readers/table";
import { comparable } from "../../base/values/text.ts";
import type { MatchOption } from "../../engine/records/match-keys.ts";
import { type ColumnGuess, guessColumn } from "../../model/custom-fields/guess.ts";
import { valuesOf } from "./cells.ts";
import type { Column } from "./columns.ts";
import { createDateColumn, type DateColumn } from "./dates.ts";
import type { ImportKind } from "./headings.ts";
import { hasLostDigits } from "./lost-digits.ts";
import type { ImportField } from "./new-fields.ts";
import { createNumberColumn, type NumberColumn } from "./numbers.ts";
import { createRepeatedRows, type RepeatedRows, type RowValues } from "./repeated.ts";
import { holdsDates, holdsNumbers } from "./resources.ts";

const SAMPLES_MAX = 3;
const SAMPLE_LENGTH_MAX = 100;

/** Content of the cells of a column. */
export interface SeenCells {
  /** Number of cells that are not blank. */
  values: number;
  /** The first different ones. */
  samples: string[];
}

/** Facts about a file after it was read once. */
export interface Survey {
  rows: number;
  /** Number of further rows that have only blank cells. They are skipped. */
  blankRows: number;
  columns: Map<Column, SeenCells>;
  /** Columns that go nowhere and have a value all the same. */
  unused: Set<Column>;
  /** Content of the columns of each custom field, by the name of the field as names are compared. */
  custom: Map<string, { name: string; column: ColumnGuess }>;
  dates: Map<Column, DateColumn>;
  /** Notation of columns of numbers. A field that is made from a column has plain numbers only, and is not here. */
  numbers: Map<Column, NumberColumn>;
  repeated: RepeatedRows;
}

interface Surveying {
  kind: ImportKind;
  match: MatchOption;
  /** Those that go somewhere. */
  columns: Column[];
  /** Those that go nowhere. */
  others: Column[];
  existing: ImportField[];
}

/** Reads a file to its end, and keeps what does not grow with its length, apart from a few bytes for each row. */
export async function surveyOf(
  file: Table,
  { kind, match, columns, others, existing }: Surveying,
  onBytes?: (bytes: number) => void,
): Promise<Survey> {
  const survey: Survey = {
    rows: 0,
    blankRows: 0,
    columns: new Map(columns.map((column) => [column, { values: 0, samples: [] }])),
    unused: new Set(),
    custom: new Map(),
    dates: new Map(),
    numbers: new Map(),
    repeated: createRepeatedRows(kind, match, columns),
  };
  const looks = columns.map((column) => ({
    column,
    seen: survey.columns.get(column) ?? { values: 0, samples: [] },
    see: lookAt(survey, kind, column, existing),
  }));
  let unseen = others;
  for await (const { line, cells, refused } of file.rows(onBytes)) {
    if (refused === undefined && isBlank(cells)) {
      survey.blankRows += 1;
      continue;
    }
    survey.rows += 1;
    const row: RowValues = new Map();
    for (const { column, seen, see } of looks) {
      const { values } = valuesOf(column, cells[column.index] ?? "");
      if (values.length === 0) continue;
      row.set(column, values);
      count(seen, values);
      see?.(values, line);
    }
    survey.repeated.see(row, cells, line);
    if (unseen.length > 0) unseen = unseen.filter((column) => !hasValue(survey, column, cells));
  }
  return survey;
}

function hasValue({ unused }: Survey, column: Column, cells: string[]): boolean {
  if (trimmed(cells[column.index] ?? "") === "") return false;
  unused.add(column);
  return true;
}

type Look = (values: readonly string[], line: number) => void;

/**
 * Reason for looking at the cells of a column: the type of a new field, the missing options of one, or the order of
 * dates.
 */
function lookAt(survey: Survey, kind: ImportKind, column: Column, existing: ImportField[]): Look | undefined {
  const { target } = column;
  if (target.to !== "custom") {
    if (holdsNumbers(kind, column, undefined)) return lookFor(survey.numbers, column, createNumberColumn());
    return holdsDates(kind, column, undefined) ? lookFor(survey.dates, column, createDateColumn()) : undefined;
  }
  const key = comparable(target.name);
  const field = existing.find(({ name }) => comparable(name) === key);
  const guess = survey.custom.get(key)?.column ?? guessColumn();
  survey.custom.set(key, { name: target.name, column: guess });
  const dates =
    !field || holdsDates(kind, column, field) ? lookFor(survey.dates, column, createDateColumn()) : undefined;
  const numbers = holdsNumbers(kind, column, field) ? lookFor(survey.numbers, column, createNumberColumn()) : undefined;
  return (values, line) => {
    for (const value of values) if (!hasLostDigits(value)) guess.see(value);
    if (values.length > 1) guess.seeSeveral();
    dates?.(values, line);
    numbers?.(values, line);
  };
}

function lookFor<Found extends { see(text: string, line: number): void }>(
  columns: Map<Column, Found>,
  column: Column,
  found: Found,
): Look {
  columns.set(column, found);
  return (values, line) => {
    for (const value of values) found.see(value, line);
  };
}

function count(seen: SeenCells, values: readonly string[]): void {
  seen.values += 1;
  if (seen.samples.length === SAMPLES_MAX) return;
  const sample = values.join("; ").slice(0, SAMPLE_LENGTH_MAX).toWellFormed();
  if (!seen.samples.includes(sample)) seen.samples.push(sample);
}

/** Spreadsheets write rows of delimiters where nothing stands. Like empty lines they are skipped. */
export function isBlank(cells: string[]): boolean {
  return cells.length > 1 && cells.every((cell) => trimmed(cell) === "");
}
