import type { Caller } from "../../base/contract/caller.ts";
import { comparable } from "../../base/values/text.ts";
import type { ImportRow } from "../../engine/records/import-entry.ts";
import type { ImportResult } from "../../engine/records/import-rows.ts";
import type { FieldData } from "../../model/custom-fields/definition.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { ask } from "../terminal/ask.ts";
import { counted } from "../terminal/output.ts";
import { createProgress } from "../terminal/progress.ts";
import { defineFields } from "./define-fields.ts";
import { matchedOf, nameOnlyInWords } from "./matched.ts";
import type { ImportField, WantedFields } from "./new-fields.ts";
import type { ImportPlan } from "./plan.ts";
import { planInWords, sameRecordInWords } from "./plan-in-words.ts";
import {
  fieldsByName,
  fieldsOf,
  type ImportOptions,
  type ImportWhat,
  type Prepared,
  prepare,
  targetOf,
} from "./prepare.ts";
import { openRecords } from "./preset-table.ts";
import { openRefusedFile } from "./refused-file.ts";
import { type Imported, importRows } from "./rows.ts";
import { withStatistics } from "./statistics.ts";

/** Result of an import or of a dry run. */
export interface ImportOutcome extends Imported {
  plan: ImportPlan;
  /** The file with the refused rows, when there is one. */
  refusedFile: string | undefined;
}

/**
 * Imports a file into a group, batch by batch: memory stays the same however long it is. Running it again changes
 * nothing.
 */
export async function runImport(
  admin: Admin,
  what: ImportWhat,
  path: string,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const file = await openRecords(path, what.kind, options, admin.piped);
  for (const note of file.notes) admin.note(note);
  const target = await targetOf(admin, what, options);
  const progress = createProgress(admin, file.bytes * 2);
  try {
    const question = (text: string) => {
      progress.pause();
      return ask(admin, text);
    };
    const asks = admin.interactive && !options.yes ? question : undefined;
    const prepared = await prepare(admin, file, what.kind, target, options, progress.at, asks);
    progress.pause();
    if (!options.dryRun) await show(admin, prepared.plan, asks);
    const outcome = await write(admin, prepared, options, (bytes) => progress.at(file.bytes + bytes));
    if (!options.dryRun) await countDuplicates(admin, what.kind, target.caller, outcome);
    return outcome;
  } finally {
    progress.stop();
    file.close();
  }
}

/** Shows the plan and asks at a terminal; elsewhere prints the parts that belong into the log of a script. */
async function show(admin: Admin, plan: ImportPlan, asks: ((question: string) => Promise<string>) | undefined) {
  if (!admin.interactive) {
    tellLeftOut(admin, plan);
    for (const warning of sameRecordInWords(plan.sameRecord)) admin.note(warning);
    return;
  }
  admin.note(planInWords(plan));
  const answer = await asks?.(`Import ${counted(plan.rows, "row")}? [y/N] `);
  if (answer !== undefined && !/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was written.");
}

function tellLeftOut(admin: Admin, { columns }: ImportPlan): void {
  const named = (because: string) => {
    const left = columns.filter(({ leftOut }) => leftOut === because);
    return [...new Set(left.map(({ heading }) => JSON.stringify(heading)))].join(", ");
  };
  const [unknown, repeated] = [named("unknown"), named("repeated")];
  if (unknown !== "")
    admin.note(`Left out: ${unknown}. --fields makes custom fields of unknown columns, --map says where they belong.`);
  if (repeated !== "") admin.note(`Several columns have the heading ${repeated}: the first of them counts.`);
}

/** Writes the rows, or tries them, and gives what became of them. */
async function write(
  admin: Admin,
  { file, kind, target, columns, survey, orders, wanted, pretended, plan }: Prepared,
  { match = "email", create = false, dryRun = false, refused }: ImportOptions,
  onBytes: (bytes: number) => void,
): Promise<ImportOutcome> {
  const { caller, group, objectType } = target;
  const send: Write = (rows, { dryRun: isTry, pretended: fields }) =>
    admin.call<ImportResult[]>(
      `${kind}-import.write`,
      {
        groupId: group.id,
        ...(objectType !== undefined && { objectType }),
        match,
        create,
        dryRun: isTry,
        rows,
        ...(fields && { fields }),
      },
      caller,
    );
  const define = (part: WantedFields) => defineFields(admin, file, columns, fieldsOf(kind, target), part, false);
  const trying = { dryRun: true, ...(pretended && { pretended }) };
  const lazily = withLazyFields(send, pretended ? wanted : { made: [], labelled: [] }, pretended ?? [], define);
  const customFields = fieldsByName(columns, pretended ? pretended.map(asImportField) : target.fields);
  const refusedFile = dryRun && refused === undefined ? undefined : openRefusedFile(file, refused);
  try {
    const imported = await importRows(file, {
      reading: {
        kind,
        columns,
        customFields,
        orders,
        numbers: survey.numbers,
        today: new Date().toISOString().slice(0, 10),
      },
      survey,
      write: dryRun ? (rows) => send(rows, trying) : withStatistics(admin, lazily),
      dryRun,
      refusedFile,
      onBytes,
    });
    const matched = matchedOf(kind, imported.matched);
    if (!dryRun) for (const warning of nameOnlyInWords(matched)) admin.note(warning);
    return { ...imported, plan: dryRun ? { ...plan, matched } : plan, refusedFile: refusedFile?.written() };
  } finally {
    refusedFile?.close();
  }
}

const DUPLICATE_KINDS: Partial<Record<Prepared["kind"], string>> = { people: "person", companies: "company" };

/** Adds to the answer how many of the new records look like others. docs/guides/duplicates.md#imports */
async function countDuplicates(admin: Admin, of: Prepared["kind"], caller: Caller, { answer, made }: Imported) {
  const kind = DUPLICATE_KINDS[of];
  if (!kind || !made) return;
  const { records } = await admin.call<{ records: number }>("duplicates-admin.count", { kind, ...made }, caller);
  if (records > 0) answer.duplicates = records;
}

function asImportField({ name, type, options }: FieldData): ImportField {
  return { name, type, labels: options.map(({ label }) => label) };
}

/** Writes rows, or tries them: `pretended` are the custom fields as they would be. */
type Write = (rows: ImportRow[], trying: { dryRun: boolean; pretended?: FieldData[] }) => Promise<ImportResult[]>;

/**
 * Writes rows, and makes the custom fields and options that they need when the first row is taken that has a value for
 * one. So a file of which no row can be taken leaves no fields behind. docs/guides/import-matching.md#custom-fields
 * @param pretended all custom fields as they will be
 * @param define makes some of the wanted ones
 */
function withLazyFields(
  write: Write,
  wanted: WantedFields,
  pretended: FieldData[],
  define: (part: WantedFields) => Promise<unknown>,
): (rows: ImportRow[]) => Promise<ImportResult[]> {
  const undefinedYet = new Set([...wanted.made, ...wanted.labelled].map(({ name }) => comparable(name)));

  return async (rows) => {
    const needsNone = !rows.some((row) => needed(row, []).length > 0);
    if (undefinedYet.size === 0 || needsNone) return write(rows, { dryRun: false });
    const tried = await write(rows, { dryRun: true, pretended });
    const taken = [...rows.keys()].filter((i) => "outcome" in (tried[i] ?? {}));
    await defineNamed(new Set(taken.flatMap((i) => needed(rows[i], tried[i]?.without ?? []))));
    return taken.length === 0 ? tried : writeTaken(rows, taken, tried);
  };

  /**
   * A value that was refused is one of a field that may not be there yet: what speaks against it is known from the try
   * only.
   */
  async function writeTaken(rows: ImportRow[], taken: number[], tried: ImportResult[]): Promise<ImportResult[]> {
    const written = await write(
      taken.flatMap((i) => rows[i] ?? []),
      { dryRun: false },
    );
    const results = [...tried];
    for (const [n, i] of taken.entries()) {
      const [before, after] = [tried[i], written[n]];
      if (before && after) results[i] = { ...after, without: before.without };
    }
    return results;
  }

  /** Names of fields that are still to be defined, for which a row has an accepted value. */
  function needed(row: ImportRow | undefined, without: ImportResult["without"]): string[] {
    const refused = new Set(without.map(({ path }) => (path[0] === "customFieldValues" ? path[1] : undefined)));
    return Object.keys(row?.values ?? {})
      .filter((name) => !refused.has(name))
      .map(comparable)
      .filter((name) => undefinedYet.has(name));
  }

  async function defineNamed(names: Set<string>): Promise<void> {
    if (names.size === 0) return;
    const named = (fields: ImportField[]) => fields.filter(({ name }) => names.has(comparable(name)));
    await define({ made: named(wanted.made), labelled: named(wanted.labelled) });
    for (const name of names) undefinedYet.delete(name);
  }
}
