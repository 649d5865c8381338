import { DATE_ORDERS } from "contact-workspace-readers/date-order";
import { DAY_ORDERS } from "../../base/values/written-date.ts";
import type { ImportedWorkspace } from "../../tools/archive/import-workspace.ts";
import type { InteractionOptions } from "../../tools/import/interactions/run.ts";
import type { ImportOptions, ImportWhat } from "../../tools/import/prepare.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { counted } from "../../tools/terminal/output.ts";
import { type Answer, answer, argument, type CommandEntry, command, option, required, WORKSPACE } from "./table.ts";
import { ANY_WORD, GOES_ON } from "./words.ts";

const FILE = argument("<FILE>", "a CSV file, an Excel sheet (.xlsx) or vCards (.vcf); - is standard input");
const USER = option("--user <email>", "user to import as; else the first user with the right");

const RECORD_OPTIONS = [
  WORKSPACE,
  required("--group <group>", "name or id of the group"),
  option("--map <map.yaml>", "which column is which field, if headings are not recognized"),
  option("--encoding <name>", "of a CSV file or vCards, if it is not detected, like windows-1250"),
  option("--delimiter <character>", "of a CSV file, if it is not detected; or comma, semicolon, tab, pipe"),
  option("--sheet <name>", "of an Excel file; else the first one with content"),
  option("--fields", "make custom fields of unknown columns"),
  option("--dates <order>", "order of day and month, where a column does not tell").choices(DAY_ORDERS),
  option("--create", "create missing people and companies that links name"),
  option("--refused <file.csv>", "where refused rows go; else beside the file, NAME.refused.csv"),
  USER,
  option("--yes", "do not ask at a terminal"),
  option("--dry-run", "write nothing, show the plan and its result"),
];

/** docs/guides/import.md */
export const IMPORT: CommandEntry[] = [
  command<ImportOptions, [file: string]>({
    words: "import people",
    changes: "records",
    about: "import people into a group; running it again changes nothing",
    examples: [
      "import people contacts.csv --workspace acme --group Sales --dry-run",
      "import people contacts.csv --workspace acme --group Sales --fields",
    ],
    args: [FILE],
    options: [
      ...RECORD_OPTIONS,
      option("--match <by>", "how people are recognised").choices(["email", "name"]).default("email"),
    ],
    run: (admin, options, file) => importRecords(admin, { kind: "people" }, file, options),
  }),
  command<ImportOptions, [file: string]>({
    words: "import companies",
    changes: "records",
    about: "import companies into a group; running it again changes nothing",
    examples: ["import companies companies.csv --workspace acme --group Sales --map map.yaml"],
    args: [FILE],
    options: RECORD_OPTIONS,
    run: (admin, options, file) => importRecords(admin, { kind: "companies" }, file, options),
  }),
  command<ImportOptions, [objectType: string, file: string]>({
    // Any other word is an object type: `import Deals FILE` is `import objects Deals FILE`.
    words: ANY_WORD,
    changes: "records",
    about:
      "import objects of a type into a group, also without this word: import Deals; running it again changes nothing",
    examples: ["import objects Deals deals.csv --workspace acme --group Sales --create"],
    args: [argument("<TYPE>", "name of an object type of the group"), FILE],
    options: RECORD_OPTIONS,
    run: (admin, options, objectType, file) => importRecords(admin, { kind: "objects", objectType }, file, options),
  }),
  command<InteractionOptions, [file: string]>({
    words: "import interactions",
    changes: "records",
    about: "import interactions with people of the workspace; running it again changes nothing",
    examples: [
      "import interactions mail.mbox --workspace acme --create",
      "import interactions chat.txt --workspace acme --zone Europe/London --country GB",
    ],
    args: [argument("<FILE>", "NDJSON, an archive of mails (.mbox), a calendar (.ics) or an exported WhatsApp chat")],
    options: [
      WORKSPACE,
      option("--zone <name>", "where times are that name no zone, like Europe/London; else that of this machine"),
      option("--dates <order>", "order of the dates in a chat, where it does not tell").choices(DATE_ORDERS),
      option("--map <map.yaml>", "people of a chat: lines of the form name: telephone number or e-mail address"),
      option("--country <code>", "where telephone numbers without a country code are dialled, like GB"),
      option("--create", "create people for participants that the workspace does not have"),
      USER,
      option("--dry-run", "write nothing, show the result"),
    ],
    async run(admin, options, file) {
      const { runInteractionsImport } = await import("../../tools/import/interactions/run.ts");
      const { interactionsInLines, interactionsRefusalOf } = await import(
        "../../tools/import/interactions/import-report.ts"
      );
      if (!options.dryRun) admin.sayWhenStopped?.(GOES_ON);
      const imported = await runInteractionsImport(admin, file, options);
      return {
        value: imported.answer,
        text: interactionsInLines(imported),
        fault: interactionsRefusalOf(imported),
      };
    },
  }),
  command<{ workspace?: string }, [file: string]>({
    words: "import workspace",
    about: "make a workspace from an archive of export --all, all or nothing",
    examples: ["import workspace acme.ndjson.gz --workspace acme-copy"],
    args: [argument("<FILE>", "the archive")],
    options: [option("--workspace <slug>", "the slug of the new workspace; else that of the archive")],
    async run(admin, { workspace }, file) {
      const { importWorkspace } = await import("../../tools/archive/import-workspace.ts");
      return answer(await importWorkspace(admin, file, workspace), inLines);
    },
  }),
];

/**
 * Reports refused rows and cells as the fault; the rest is written and shown by then.
 * docs/guides/import.md#a-first-import
 */
async function importRecords(admin: Admin, what: ImportWhat, file: string, options: ImportOptions): Promise<Answer> {
  // Loaded here and not at the top, so that the other commands start faster: scripts run dozens of them.
  const { runImport } = await import("../../tools/import/run.ts");
  const { inLines: importInLines, refusalOf } = await import("../../tools/import/import-report.ts");
  if (!options.dryRun) admin.sayWhenStopped?.(GOES_ON);
  const outcome = await runImport(admin, what, file, options);
  const { answer: result, plan } = outcome;
  return {
    value: options.dryRun ? { ...result, plan } : result,
    text: importInLines(outcome, options),
    fault: refusalOf(outcome, options),
  };
}

function inLines({ workspace, idsKept, counts }: ImportedWorkspace): string {
  const { users = 0, people = 0, companies = 0, objects = 0, webhooks = 0 } = counts;
  const lines = [
    `The workspace ${workspace.slug} is made: ${counted(users, "user")}, ${people} ${people === 1 ? "person" : "people"}, ${companies} ${companies === 1 ? "company" : "companies"}, ${counted(objects, "object")}.`,
    idsKept
      ? "All ids are those of the archive."
      : "The archive's workspace is here already, so everything has new ids.",
  ];
  if (webhooks > 0)
    lines.push(`${counted(webhooks, "webhook")} with new secrets, inactive: switch them on by the API.`);
  lines.push('It has no keys yet: make one with "keys create".');
  return lines.join("\n");
}
