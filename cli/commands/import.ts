import { type Command, Option } from "commander";
import type { Admin } from "../admin.ts";
import { DATE_ORDERS } from "../import/interactions/chat/date-order.ts";
import type { InteractionOptions } from "../import/interactions/run.ts";
import type { ImportAnswer } from "../import/rows.ts";
import type { ImportOptions } from "../import/run.ts";
import { show } from "./output.ts";

const REFUSED_SHOWN_MAX = 20;

/** Adds `import people`, `import companies` and `import interactions`. docs/guides/import.md */
export function addImport(program: Command, admin: Admin): void {
  const command = program
    .command("import")
    .description("records from CSV files, Excel sheets and vCards, interactions from mails, calendars and chats");
  for (const kind of ["people", "companies"] as const) {
    const one = command
      .command(kind)
      .description(`import ${kind} into a group; running it again changes nothing`)
      .argument("<FILE>", "a CSV file, an Excel sheet (.xlsx) or vCards (.vcf); - is standard input")
      .requiredOption("--workspace <slug>", "the workspace")
      .requiredOption("--group <group>", "name or id of the group")
      .option("--map <map.yaml>", "which column is which field, where headings do not tell")
      .option("--encoding <name>", "of a CSV file or vCards, where it is guessed wrong, like windows-1250")
      .option("--delimiter <character>", "of a CSV file, where it is found out wrong; or comma, semicolon, tab, pipe")
      .option("--sheet <name>", "of an Excel file; else the first one with content")
      .option("--fields", "make custom fields of unknown columns")
      .option("--user <email>", "on whose behalf; else the first user who may")
      .option("--dry-run", "write nothing, tell what would be")
      .option("--json", "print JSON");
    if (kind === "people")
      one.addOption(
        new Option("--match <by>", "how people are recognised").choices(["email", "name"]).default("email"),
      );
    one.action(async (file: string, { json = false, ...options }: ImportOptions & { json?: boolean }) => {
      // Loaded here and not at the top, so that the other commands start faster: scripts run dozens of them.
      const { runImport } = await import("../import/run.ts");
      show(admin, { json }, await runImport(admin, kind, file, options), inLines);
    });
  }
  addInteractions(command, admin);
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
    .option("--create", "make people of those who took part and are nobody yet")
    .option("--user <email>", "on whose behalf; else the first user who may")
    .option("--dry-run", "write nothing, tell what would be")
    .option("--json", "print JSON")
    .action(async (file: string, { json = false, ...options }: InteractionOptions & { json?: boolean }) => {
      const { runInteractionsImport } = await import("../import/interactions/run.ts");
      const { interactionsInLines } = await import("../import/interactions/in-lines.ts");
      const imported = await runInteractionsImport(admin, file, options);
      show(admin, { json }, imported.answer, () => interactionsInLines(imported));
    });
}

function inLines({ read, created, updated, unchanged, refused }: ImportAnswer): string {
  const shown = refused
    .slice(0, REFUSED_SHOWN_MAX)
    .map(({ line, column, reason }) => `line ${line}${column === null ? "" : `, ${column}`}: ${reason}`);
  const more = refused.length - shown.length;
  return [
    `${read} read: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused`,
    ...shown,
    ...(more > 0 ? [`and ${more} more; --json lists all`] : []),
  ].join("\n");
}
