import type { Caller } from "../../lib/contract/caller.ts";
import type { Admin } from "../admin.ts";
import { type Column, columnsOf, needFields, needName } from "./columns.ts";
import { defineFields } from "./define-fields.ts";
import type { ImportKind } from "./headings.ts";
import { readMap } from "./map-file.ts";
import { fieldsFor, type ImportField } from "./new-fields.ts";
import { createProgress } from "./progress.ts";
import type { ImportRow } from "./row.ts";
import { type ImportAnswer, importRows, type Result } from "./rows.ts";
import { openTable } from "./sources/open-table.ts";
import type { ReadOptions } from "./sources/table.ts";

export interface ImportOptions extends ReadOptions {
  workspace: string;
  group: string;
  map?: string;
  fields?: boolean;
  match?: "email" | "name";
  user?: string;
  dryRun?: boolean;
}

interface Target {
  caller: Caller;
  group: { id: string; name: string };
  fields: ImportField[];
}

const ENTITY = { people: "person", companies: "company" } as const;

/** Imports a file into a group, batch by batch: memory stays the same however long it is. Running it again changes nothing. */
export async function runImport(
  admin: Admin,
  kind: ImportKind,
  path: string,
  options: ImportOptions,
): Promise<ImportAnswer> {
  const { workspace, group, user, fields: makesFields = false, match = "email", dryRun = false } = options;
  const file = await openTable(path, kind, options, admin.piped);
  for (const note of file.notes) admin.note(note);
  const map = options.map === undefined ? new Map() : readMap(options.map, file.headings);
  const asked = {
    workspace,
    group,
    kind: ENTITY[kind],
    definesFields: makesFields,
    ...(user !== undefined && { user }),
  };
  const target = await admin.call<Target>("workspaces.importTarget", asked);
  const columns = columnsOf(file.headings, {
    kind,
    map,
    makesFields,
    preset: file.preset,
    fields: target.fields.map(({ name }) => name),
  });
  needName(columns, kind, file.headings);
  if (!makesFields) needFields(columns, target.fields);
  tellLeftOut(admin, columns);
  const progress = createProgress(admin, file.bytes * 2);
  try {
    // Also without fields to make: what is wrong with the file itself shall be known before anything is written.
    const wanted = await fieldsFor(file, columns, target.fields, progress.at);
    const defined = makesFields
      ? await defineFields(admin, file, columns, { kind: ENTITY[kind], dryRun, ...target }, wanted)
      : undefined;
    const write = (rows: ImportRow[]) =>
      admin.call<Result[]>(
        `${kind}-import.write`,
        { groupId: target.group.id, match, dryRun, rows, ...(dryRun && defined && { fields: defined }) },
        target.caller,
      );
    return await importRows(file, {
      columns,
      customFields: defined ?? target.fields,
      write,
      onBytes: (bytes) => progress.at(file.bytes + bytes),
    });
  } finally {
    progress.stop();
    file.close();
  }
}

function tellLeftOut(admin: Admin, columns: Column[]): void {
  const named = (because: string) => {
    const left = columns.filter(({ target }) => target.to === "nowhere" && target.because === because);
    return [...new Set(left.map(({ heading }) => JSON.stringify(heading)))].join(", ");
  };
  const [unknown, repeated] = [named("unknown"), named("repeated")];
  if (unknown !== "")
    admin.note(`Left out: ${unknown}. --fields makes custom fields of unknown columns, --map says where they belong.`);
  if (repeated !== "") admin.note(`Several columns have the heading ${repeated}: the first of them counts.`);
}
