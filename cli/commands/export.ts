import { stringify } from "yaml";
import type { RecordsOptions } from "../../tools/export/records.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { counted } from "../../tools/terminal/output.ts";
import { argument, command, option, WORKSPACE } from "./table.ts";

type Document = { groups?: { name: string }[] };

interface Options extends Omit<RecordsOptions, "format"> {
  all?: boolean;
  csv?: boolean;
  json?: boolean;
  ndjson?: boolean;
}

/** The workspace file, records as a table or as JSON, or all of a workspace as an archive. docs/guides/export.md */
export const EXPORT = command<Options, [type: string | undefined]>({
  words: "export",
  about: "print a workspace as a file for apply, or its records, or write all of it into an archive",
  examples: [
    "export --workspace acme > acme.yaml",
    "export people --workspace acme --csv --output people.csv",
    "export Deals --workspace acme --group Sales --json",
    "export --all --workspace acme --output acme.ndjson.gz",
  ],
  args: [argument("[TYPE]", "people, companies or a type of objects; without it the workspace file is printed")],
  options: [
    WORKSPACE,
    option("--all", "everything of the workspace, as an archive for import workspace"),
    option("--group <group>", "name or id of a group: its records only, with its custom fields"),
    option("--csv", "records as CSV, which import reads again; the default").conflicts(["json", "ndjson"]),
    option("--json", "records as one JSON list; the workspace file as JSON").conflicts("ndjson"),
    option("--ndjson", "records as JSON, one in each line"),
    option("--server-fields", "in CSV also the id, by which an import finds the record, creation and groups"),
    option("--links <by>", "what CSV calls linked people and objects").choices(["name", "id"]).default("name"),
    option("--for-spreadsheets", "in CSV a byte order mark, and an apostrophe before what would be a formula"),
    option("--output <file>", "write into a file instead of standard output"),
    option("--force", "overwrite the file of --output, if there is one"),
  ],
  json: null,
  async run(admin, { all = false, csv = false, json = false, ndjson = false, ...options }, type) {
    if (all) await exportArchive(admin, type, options);
    else if (type === undefined) await exportWorkspaceFile(admin, { ...options, csv, json, ndjson });
    else {
      const { exportRecords } = await import("../../tools/export/records.ts");
      const format = json ? "json" : ndjson ? "ndjson" : "csv";
      const count = await exportRecords(admin, type, { ...options, format });
      if (options.output !== undefined) admin.note(`${counted(count, "record")} written to ${options.output}.`);
    }
    return undefined;
  },
});

async function exportArchive(
  admin: Admin,
  type: string | undefined,
  options: Omit<RecordsOptions, "format">,
): Promise<void> {
  if (type !== undefined) throw new CommandError(`--all exports everything: leave out "${type}", or --all.`, 2);
  const { output } = options;
  if (output === undefined || output === "-")
    throw new CommandError("--all needs --output FILE: an archive is no text.", 2);
  const { exportAll } = await import("../../tools/archive/export-all.ts");
  await exportAll(admin, options.workspace, { ...options, output });
}

async function exportWorkspaceFile(
  admin: Admin,
  { workspace, json, csv, ndjson, group, ...options }: Omit<Options, "all">,
): Promise<void> {
  if (csv || ndjson || group !== undefined)
    throw new CommandError("Say what to export: people, companies or a type of objects, as in: export people.", 2);
  const document = await admin.call<Document>("workspaces.export", { workspace });
  const names = (document.groups ?? []).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    admin.note(`Several groups are named "${twice}": apply will refuse this file until they have names of their own.`);
  const text = json ? JSON.stringify(document) : stringify(document, { lineWidth: 0 }).trimEnd();
  if (options.output === undefined) return admin.print(text);
  const { toOutput } = await import("../../tools/export/sink.ts");
  await toOutput(admin, options, (take) => take(`${text}\n`));
}
