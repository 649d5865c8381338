import { type Command, Option } from "commander";
import { DATE_ORDERS } from "contact-workspace-readers/date-order";
import { DAY_ORDERS } from "../../base/values/written-date.ts";
import type { InteractionOptions } from "../../tools/import/interactions/run.ts";
import type { ImportOptions, ImportWhat } from "../../tools/import/prepare.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { show } from "../../tools/terminal/output.ts";
import { GOES_ON, takingAnyWord } from "../../tools/terminal/words.ts";
import { addImportArchive } from "./import-archive.ts";

/** Adds `import people`, `import companies`, `import interactions` and `import` of an object type. docs/guides/import.md */
export function addImport(program: Command, admin: Admin): void {
  const command = program
    .command("import")
    .description("people, companies, deals and other objects from files; interactions from mails, calendars and chats");
  for (const kind of ["people", "companies"] as const) {
    const one = command
      .command(kind)
      .description(`import ${kind} into a group; running it again changes nothing`)
      .argument("<FILE>", FILE);
    withOptions(one);
    if (kind === "people")
      one.addOption(
        new Option("--match <by>", "how people are recognised").choices(["email", "name"]).default("email"),
      );
    one.action(async (file: string, options: RecordOptions) => {
      await importRecords(admin, { kind }, file, options);
    });
  }
  // A word that is none of the others is an object type: `import Deals FILE` is `import objects Deals FILE`.
  withOptions(
    takingAnyWord(command.command("objects", { isDefault: true }))
      .description(
        "import objects of a type into a group, also without this word: import Deals; running it again changes nothing",
      )
      .argument("<TYPE>", "name of an object type of the group")
      .argument("<FILE>", FILE),
  ).action(async (objectType: string, file: string, options: RecordOptions) => {
    await importRecords(admin, { kind: "objects", objectType }, file, options);
  });
  addInteractions(command, admin);
  addImportArchive(command, admin);
}

const FILE = "a CSV file, an Excel sheet (.xlsx) or vCards (.vcf); - is standard input";

type RecordOptions = ImportOptions & { json?: boolean };

function withOptions(command: Command): Command {
  return command
    .requiredOption("--workspace <slug>", "the workspace")
    .requiredOption("--group <group>", "name or id of the group")
    .option("--map <map.yaml>", "which column is which field, where headings do not tell")
    .option("--encoding <name>", "of a CSV file or vCards, where it is guessed wrong, like windows-1250")
    .option("--delimiter <character>", "of a CSV file, where it is found out wrong; or comma, semicolon, tab, pipe")
    .option("--sheet <name>", "of an Excel file; else the first one with content")
    .option("--fields", "make custom fields of unknown columns")
    .addOption(
      new Option("--dates <order>", "order of day and month, where a column does not tell").choices(DAY_ORDERS),
    )
    .option("--create", "make people and companies that links name and that are not there")
    .option("--refused <file.csv>", "where refused rows go; else beside the file, NAME.refused.csv")
    .option("--user <email>", "on whose behalf; else the first user who may")
    .option("--yes", "do not ask at a terminal")
    .option("--dry-run", "write nothing, show the plan and its result")
    .option("--json", "print JSON");
}

async function importRecords(
  admin: Admin,
  what: ImportWhat,
  file: string,
  { json = false, ...options }: RecordOptions,
): Promise<void> {
  // Loaded here and not at the top, so that the other commands start faster: scripts run dozens of them.
  const { runImport } = await import("../../tools/import/run.ts");
  const { inLines, refusalOf } = await import("../../tools/import/in-lines.ts");
  if (!options.dryRun) admin.sayWhenStopped?.(GOES_ON);
  const outcome = await runImport(admin, what, file, options);
  const { answer, plan } = outcome;
  show(admin, { json }, options.dryRun ? { ...answer, plan } : answer, () => inLines(outcome, options));
  failOn(refusalOf(outcome, options));
}

/** Ends the command with what was refused: all else is written and shown by then. docs/guides/import.md#a-first-import */
function failOn(refusal: string | null): void {
  if (refusal !== null) throw new CommandError(refusal);
}

function addInteractions(command: Command, admin: Admin): void {
  command
    .command("interactions")
    .description("import interactions with people of the workspace; running it again changes nothing")
    .argument("<FILE>", "NDJSON, an archive of mails (.mbox), a calendar (.ics) or an exported WhatsApp chat")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--zone <name>", "where times are that name no zone, like Europe/London; else that of this machine")
    .addOption(
      new Option("--dates <order>", "order of the dates in a chat, where it does not tell").choices(DATE_ORDERS),
    )
    .option("--map <map.yaml>", "who is who in a chat: lines of the form name: telephone number or e-mail address")
    .option("--country <code>", "where telephone numbers without a country code are dialled, like GB")
    .option("--create", "make people of participants whom the workspace does not know yet")
    .option("--user <email>", "on whose behalf; else the first user who may")
    .option("--dry-run", "write nothing, show the result")
    .option("--json", "print JSON")
    .action(async (file: string, { json = false, ...options }: InteractionOptions & { json?: boolean }) => {
      const { runInteractionsImport } = await import("../../tools/import/interactions/run.ts");
      const { interactionsInLines, interactionsRefusalOf } = await import(
        "../../tools/import/interactions/in-lines.ts"
      );
      if (!options.dryRun) admin.sayWhenStopped?.(GOES_ON);
      const imported = await runInteractionsImport(admin, file, options);
      show(admin, { json }, imported.answer, () => interactionsInLines(imported));
      failOn(interactionsRefusalOf(imported));
    });
}
