import { quoted } from "contact-workspace-readers/cell-text";
import type { Table, TableRow } from "contact-workspace-readers/table";
import type { Issue } from "../../base/contract/issues.ts";
import { comparable } from "../../base/values/text.ts";
import type { ImportRow } from "../../engine/records/import-entry.ts";
import type { ImportResult } from "../../engine/records/import-rows.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { inWords } from "../terminal/issue-words.ts";
import { counted } from "../terminal/output.ts";
import { createEarlierRows } from "./earlier-rows.ts";
import { ID_FIELD } from "./headings.ts";
import type { Matched } from "./matched.ts";
import type { RefusedFile } from "./refused-file.ts";
import { type CellFault, type Reading, type ReadRow, readRow } from "./row.ts";
import { isBlank, type Survey } from "./survey.ts";

/** A row, or a cell of one, that was refused. */
export interface Refused extends CellFault {
  line: number;
}

/** Output of an import: four counts, and the refused rows. docs/guides/import.md#a-first-import */
export interface ImportAnswer {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: Refused[];
  /** New records that look like others; absent when there are none. */
  duplicates?: number;
}

/** The answer, and the numbers of refused rows and of refused cells. */
export interface Imported {
  answer: ImportAnswer;
  refusedRows: number;
  refusedCells: number;
  matched: Matched;
  /** The ids between which those of the new records lie. Undefined without new records. */
  made?: { first: string; last: string };
}

interface Work {
  reading: Reading;
  survey: Survey;
  write(rows: ImportRow[]): Promise<ImportResult[]>;
  dryRun: boolean;
  /** File for refused rows, if there is one. */
  refusedFile: RefusedFile | undefined;
  onBytes(bytes: number): void;
}

/** A row of the next batch. A refused row waits here until it is its turn to be reported. */
type Waiting = { line: number; cells: string[] } & ({ row: ReadRow; isNamesake?: boolean } | { refused: CellFault });

const BATCH_ROWS = 500;

/**
 * Writes the rows of a file batch by batch, and counts the outcomes. Refused rows are reported in the order of the
 * lines.
 */
export async function importRows(
  file: Table,
  { reading, survey, write, dryRun, refusedFile, onBytes }: Work,
): Promise<Imported> {
  const answer: ImportAnswer = { read: 0, created: 0, updated: 0, unchanged: 0, refused: [] };
  const imported: Imported = { answer, refusedRows: 0, refusedCells: 0, matched: {} };
  const earlier = dryRun ? createEarlierRows(survey.repeated.firstLines) : undefined;
  let batch: Waiting[] = [];

  async function flush(): Promise<void> {
    const rows = batch.flatMap((waiting) => ("row" in waiting ? waiting.row.record : []));
    const before = earlier?.before(rows) ?? [];
    const results = rows.length === 0 ? [] : (await write([...before, ...rows])).slice(before.length);
    for (const [i, { line }] of rows.entries()) know(line, results[i]);
    earlier?.keep(rows, results);
    let next = 0;
    for (const waiting of batch) tell(waiting, "row" in waiting ? results[next++] : undefined);
    batch = [];
  }

  function know(line: number | undefined, result: ImportResult | undefined): void {
    if (!result || !("outcome" in result)) return;
    const first = result.repeats ?? line;
    if (first !== undefined) survey.repeated.know(result.record, result.names, first);
  }

  function tell(waiting: Waiting, result: ImportResult | undefined): void {
    const { line, cells } = waiting;
    const faults = faultsOf(waiting, result, reading);
    answer.refused.push(...faults.map(({ column, reason }) => ({ line, column, reason })));
    if (faults.length > 0) refusedFile?.add(line, cells, faults, lastingRecord(result, dryRun));
    if (result && "outcome" in result) {
      answer[result.outcome] += 1;
      if (result.outcome === "created") imported.made = withId(imported.made, result.record);
      countMatch(imported.matched, result, "row" in waiting && waiting.isNamesake === true);
      imported.refusedCells += faults.length;
    } else imported.refusedRows += 1;
  }

  for await (const row of file.rows(onBytes)) {
    if (row.refused === undefined && isBlank(row.cells)) continue;
    answer.read += 1;
    batch.push(waitingOf(row, file, reading, survey));
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  return imported;
}

function withId(made: Imported["made"], id: string): Imported["made"] {
  const { first, last } = made ?? { first: id, last: id };
  return { first: id < first ? id : first, last: id > last ? id : last };
}

/** The id of the record that a row has left. Of a dry run only records that were there before stay. */
function lastingRecord(result: ImportResult | undefined, dryRun: boolean): string | undefined {
  if (!result || !("outcome" in result)) return undefined;
  return dryRun && result.outcome === "created" ? undefined : result.record;
}

function countMatch(
  matched: Matched,
  { by, nameOnly }: Extract<ImportResult, { outcome: string }>,
  isNamesake: boolean,
): void {
  const how = nameOnly || (by === null && isNamesake) ? "nameOnly" : by;
  if (how !== null) matched[how] = (matched[how] ?? 0) + 1;
}

function waitingOf({ line, cells, refused }: TableRow, file: Table, reading: Reading, survey: Survey): Waiting {
  const fault = refused ?? wrongLength(cells.length, file.headings.length);
  if (fault !== undefined) return { line, cells, refused: { column: null, reason: fault } };
  const row = readRow(reading, cells);
  row.record.line = line;
  const earlier = survey.repeated.earlier(cells, line);
  if (!earlier) return { line, cells, row };
  if (earlier.record !== undefined) row.record.of = earlier.record;
  // People of one name may be two: only the record of the earlier row tells.
  if (earlier.record !== undefined || earlier.isSure) row.record.repeats = earlier.line;
  return { line, cells, row, isNamesake: earlier.isNamesake };
}

/** Cells that are missing at the end of a row are empty; one cell alone, or too many, are a mistake. */
function wrongLength(cells: number, headings: number): string | undefined {
  if (cells <= headings && (cells > 1 || headings === 1)) return undefined;
  return `The row has ${counted(cells, "cell")} below ${counted(headings, "heading")}: a delimiter or a quote is wrong`;
}

/** Faults of a row: the reason for refusing it as a whole, or one for each refused cell. */
function faultsOf(waiting: Waiting, result: ImportResult | undefined, reading: Reading): CellFault[] {
  if ("refused" in waiting) return [waiting.refused];
  const { row } = waiting;
  if (!result) return [{ column: null, reason: "Nothing was written" }];
  if ("outcome" in result)
    return inOrder(reading, [...row.faults, ...result.without.map((issue) => faultOf(issue, row, reading))]);
  // Without the refused cell the row identifies no record, so the cell has to be corrected.
  if (result.refused.path.length === 0 && row.faults.length > 0) return row.faults;
  return [faultOf(result.refused, row, reading)];
}

/** Cells in the order of their columns. */
function inOrder({ columns }: Reading, faults: CellFault[]): CellFault[] {
  const place = ({ column }: CellFault) => columns.findIndex(({ heading }) => heading === column);
  return faults.length > 1 ? faults.sort((a, b) => place(a) - place(b)) : faults;
}

function faultOf(issue: Issue, row: ReadRow, reading: Reading): CellFault {
  const [name, below] = issue.path;
  const isCustom = name === "customFieldValues";
  const field = String(isCustom ? below : name);
  const value = isCustom ? row.record.values[field] : row.record.fields[field];
  const part = !isCustom && Array.isArray(value) && typeof below === "number" ? value[below] : value;
  const column =
    (typeof below === "number" ? row.origins.get(field)?.[below] : undefined) ?? headingOf(reading, isCustom, field);
  const options = isCustom && issue.message.includes("has no option") ? optionsOf(reading, field) : "";
  return { column, reason: reasonOf(issue, part) + options };
}

/** The message of the API if it names the value; otherwise the value with the expectation. */
function reasonOf(issue: Issue, value: unknown): string {
  if (issue.code === "custom") return issue.message;
  return typeof value === "string" ? `${quoted(value)} ${inWords(issue)}` : issue.message;
}

function headingOf({ columns }: Reading, isCustom: boolean, field: string): string | null {
  const found = columns.find(({ target }) => {
    if (target.to === "address") return field === "addresses";
    if (target.to === "id") return field === ID_FIELD;
    return target.to === (isCustom ? "custom" : "field") && comparable(target.name) === comparable(field);
  });
  return found?.heading ?? null;
}

const OPTIONS_TOLD_MAX = 10;

/** The labels that a select takes. */
function optionsOf({ customFields }: Reading, name: string): string {
  const field = customFields.get(name);
  if (!field || !customFieldTypes[field.type].hasOptions || field.labels.length === 0) return "";
  const told = field.labels.slice(0, OPTIONS_TOLD_MAX).join(", ");
  const more = field.labels.length > OPTIONS_TOLD_MAX ? ` and ${field.labels.length - OPTIONS_TOLD_MAX} more` : "";
  return `. It has: ${told}${more}`;
}
