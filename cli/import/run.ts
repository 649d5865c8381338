import type { Caller } from "../../lib/contract/caller.ts";
import type { Admin } from "../admin.ts";
import { type Column, columnsOf, needFields, needName } from "./columns.ts";
import { openCsv } from "./csv-file.ts";
import type { ImportKind } from "./headings.ts";
import { readMap } from "./map-file.ts";
import { fieldsFor, type ImportField } from "./new-fields.ts";
import { createProgress } from "./progress.ts";
import type { ImportRow } from "./row.ts";
import { type ImportAnswer, importRows, type Result } from "./rows.ts";

export interface ImportOptions {
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
  if (!makesFields) needFields(columns, target.fields);
  tellLeftOut(admin, columns);
  const progress = createProgress(admin, file.bytes * 2);
  try {
    // Also without fields to make: what is wrong with the file itself shall be known before anything is written.
    const wanted = await fieldsFor(file, columns, target.fields, progress.at);
    if (makesFields && !dryRun) await defineFields(admin, kind, target, wanted);
    const changed = makesFields ? [...wanted.made, ...wanted.labelled] : [];
    const write = (rows: ImportRow[]) =>
      admin.call<Result[]>(
        `${kind}-import.write`,
        { groupId: target.group.id, match: options.match ?? "email", dryRun, rows },
        target.caller,
      );
    return await importRows(file, {
      columns,
      customFields: [...changed, ...target.fields],
      pretended: dryRun ? changed : [],
      write,
      onBytes: (bytes) => progress.at(file.bytes + bytes),
    });
  } finally {
    progress.stop();
  }
}

function tellLeftOut(admin: Admin, columns: Column[]): void {
  const named = (because: string) => {
    const left = columns.filter(({ target }) => target.to === "nowhere" && target.because === because);
    return [...new Set(left.map(({ heading }) => `"${heading}"`))].join(", ");
  };
  const [unknown, repeated] = [named("unknown"), named("repeated")];
  if (unknown !== "")
    admin.note(`Left out: ${unknown}. --fields makes custom fields of unknown columns, --map says where they belong.`);
  if (repeated !== "") admin.note(`Several columns have the heading ${repeated}: the first of them counts.`);
}

/** Makes the fields that the group lacks, and the options that its selects lack. */
async function defineFields(
  admin: Admin,
  kind: ImportKind,
  { caller, group }: Target,
  { made, labelled }: { made: ImportField[]; labelled: ImportField[] },
): Promise<void> {
  const path = { groupId: group.id, entityType: ENTITY[kind] };
  const options = (labels: string[]) => labels.map((label) => ({ label }));
  for (const { name, type, labels } of made) {
    const body = { name, type, ...(labels.length > 0 && { options: options(labels) }) };
    await admin.call("custom-fields.create", { ...path, body }, caller);
  }
  for (const { name, labels } of labelled) {
    for (let i = 0; i < labels.length; i += OPTIONS_AT_ONCE) {
      const body = { addOptions: options(labels.slice(i, i + OPTIONS_AT_ONCE)) };
      await admin.call("custom-fields.update", { ...path, customFieldName: name, body }, caller);
    }
  }
}
