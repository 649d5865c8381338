import type { Caller } from "../../lib/caller.ts";
import { comparable } from "../../lib/text.ts";
import type { Admin } from "../admin.ts";
import { type Column, columnsOf, needName } from "./columns.ts";
import { type CsvFile, type CsvRow, openCsv } from "./csv-file.ts";
import type { ImportKind } from "./headings.ts";
import { readMap } from "./map-file.ts";
import { fieldsFor, type ImportField } from "./new-fields.ts";
import { createProgress } from "./progress.ts";
import { type ImportRow, type Refused, toRecord } from "./row.ts";

export interface ImportOptions {
  workspace: string;
  group: string;
  map?: string;
  fields?: boolean;
  match?: "email" | "name";
  user?: string;
  dryRun?: boolean;
}

/** running.md, "import". */
export interface ImportAnswer {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: Refused[];
}

type Result =
  | { outcome: "created" | "updated" | "unchanged"; keys?: string[] }
  | { refused: string; path: (string | number)[] };
interface Target {
  caller: Caller;
  group: { id: string; name: string };
  fields: ImportField[];
}

const BATCH_ROWS = 500;
const ENTITY = { people: "person", companies: "company" } as const;
const OPTIONS_AT_ONCE = 100;

/** Imports a file into a group, batch by batch: memory stays the same however long it is. Running it again changes nothing. */
export async function runImport(
  admin: Admin,
  kind: ImportKind,
  path: string,
  options: ImportOptions,
): Promise<ImportAnswer> {
  const { workspace, group, user, fields: makesFields = false, dryRun = false } = options;
  const file = await openCsv(path);
  const map = options.map === undefined ? new Map() : readMap(options.map, file.headings);
  const asked = {
    workspace,
    group,
    kind: ENTITY[kind],
    definesFields: makesFields,
    ...(user !== undefined && { user }),
  };
  const target = await admin.call<Target>("workspaces.importTarget", asked);
  const columns = columnsOf(file.headings, { kind, map, makesFields, fields: target.fields.map(({ name }) => name) });
  needName(columns, kind, file.headings);
  tellLeftOut(admin, columns);
  const progress = createProgress(admin, file.bytes * 2);
  try {
    // Also without fields to make: what is wrong with the file itself shall be known before anything is written.
    const wanted = await fieldsFor(file, columns, target.fields, progress.at);
    const customFields = makesFields ? await defineFields(admin, kind, target, wanted, dryRun) : target.fields;
    const write = (rows: ImportRow[]) =>
      admin.call<Result[]>(
        `${kind}-import.write`,
        { groupId: target.group.id, match: options.match ?? "email", dryRun, rows },
        target.caller,
      );
    return await importRows(
      file,
      usable(columns, customFields, dryRun ? target.fields : customFields),
      write,
      (bytes) => progress.at(file.bytes + bytes),
    );
  } finally {
    progress.stop();
  }
}

function tellLeftOut(admin: Admin, columns: Column[]): void {
  const names = columns.flatMap(({ target, heading }) =>
    target.to === "nowhere" && heading !== "" ? [`"${heading}"`] : [],
  );
  if (names.length > 0)
    admin.note(
      `Left out: ${names.join(", ")}. --fields makes custom fields of unknown columns, --map says where they belong.`,
    );
}

/** Makes the fields that the group lacks, and the options that its selects lack; gives all fields as they are then. */
async function defineFields(
  admin: Admin,
  kind: ImportKind,
  { caller, group, fields }: Target,
  { made, labelled }: { made: ImportField[]; labelled: ImportField[] },
  dryRun: boolean,
): Promise<ImportField[]> {
  const path = { groupId: group.id, entityType: ENTITY[kind] };
  const options = (labels: string[]) => labels.map((label) => ({ label }));
  for (const { name, type, labels } of dryRun ? [] : made) {
    const body = { name, type, ...(labels.length > 0 && { options: options(labels) }) };
    await admin.call("custom-fields.create", { ...path, body }, caller);
  }
  for (const { name, labels } of dryRun ? [] : labelled) {
    for (let i = 0; i < labels.length; i += OPTIONS_AT_ONCE) {
      await admin.call(
        "custom-fields.update",
        { ...path, customFieldName: name, body: { addOptions: options(labels.slice(i, i + OPTIONS_AT_ONCE)) } },
        caller,
      );
    }
  }
  return [...fields, ...made];
}

interface Usable {
  columns: Column[];
  customFields: Map<string, ImportField>;
}

/** In a dry run the fields that would be made are not there: their cells fit by the way their type was found. */
function usable(columns: Column[], all: ImportField[], there: ImportField[]): Usable {
  const names = new Set(there.map(({ name }) => comparable(name)));
  const missing = new Set(all.map(({ name }) => comparable(name)).filter((name) => !names.has(name)));
  return {
    columns: columns.filter(({ target }) => target.to !== "custom" || !missing.has(comparable(target.name))),
    customFields: new Map(
      columns.flatMap(({ target }) => {
        const field =
          target.to === "custom" ? all.find(({ name }) => comparable(name) === comparable(target.name)) : undefined;
        return target.to === "custom" && field ? [[target.name, field]] : [];
      }),
    ),
  };
}

async function importRows(
  file: CsvFile,
  { columns, customFields }: Usable,
  write: (rows: ImportRow[]) => Promise<Result[]>,
  onBytes: (bytes: number) => void,
): Promise<ImportAnswer> {
  const answer: ImportAnswer = { read: 0, created: 0, updated: 0, unchanged: 0, refused: [] };
  const triedKeys = new Map<string, string>();
  let batch: { line: number; row: ImportRow }[] = [];

  async function flush(): Promise<void> {
    const results = batch.length === 0 ? [] : await write(batch.map(({ row }) => row));
    for (const [i, { line, row }] of batch.entries()) {
      const result = results[i];
      if (!result || "refused" in result)
        answer.refused.push({
          line,
          column: columnAt(columns, result?.path ?? []),
          reason: result?.refused ?? "Nothing was written",
        });
      else answer[outcomeOf(result, row, triedKeys)] += 1;
    }
    batch = [];
  }

  for await (const { line, cells } of file.rows(onBytes)) {
    answer.read += 1;
    const row = judge({ line, cells }, file.headings.length, columns, customFields);
    if ("reason" in row) answer.refused.push({ line, ...row });
    else batch.push({ line, row });
    if (batch.length >= BATCH_ROWS) await flush();
  }
  await flush();
  answer.refused.sort((a, b) => a.line - b.line);
  return answer;
}

function judge(
  { cells }: CsvRow,
  expected: number,
  columns: Column[],
  customFields: Map<string, ImportField>,
): ImportRow | Omit<Refused, "line"> {
  if (cells.length > expected || (cells.length < expected && cells.length === 1)) {
    return {
      column: null,
      reason: `The row has ${cells.length} cells, the heading ${expected}: a delimiter or a quote is wrong`,
    };
  }
  return toRecord(columns, customFields, cells);
}

/** Rows of a dry run leave nothing behind for later batches to find: what they would have found is kept here. */
function outcomeOf(
  result: Extract<Result, { outcome: unknown }>,
  row: ImportRow,
  tried: Map<string, string>,
): "created" | "updated" | "unchanged" {
  if (!result.keys || result.outcome !== "created") return result.outcome;
  const text = JSON.stringify(row);
  const known = result.keys.map((key) => tried.get(key)).find((before) => before !== undefined);
  for (const key of result.keys) tried.set(key, text);
  if (known === undefined) return "created";
  return known === text ? "unchanged" : "updated";
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
