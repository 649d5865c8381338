import type { Command } from "commander";
import type { Erased } from "../../lib/privacy/erase.ts";
import type { Admin } from "../admin.ts";
import { confirmByWord } from "../ask.ts";
import { counted, show } from "./output.ts";

type EraseOptions = { workspace: string; yes?: boolean; dryRun?: boolean; json?: boolean };

/** Adds `people export` and `people erase`, for what the law gives a person. docs/guides/data-protection.md */
export function addPeople(program: Command, admin: Admin): void {
  const people = program.command("people").description("all data of one person: hand it out, or erase it");

  people
    .command("export")
    .description("print everything that refers to a person, as JSON")
    .argument("<EMAIL|ID>", "an e-mail address or the id of the person")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--output <file>", "write into a file instead of standard output")
    .option("--json", "print JSON, as it does anyway")
    .action(async (asked: string, { workspace, output }: { workspace: string; output?: string }) => {
      const { exportPerson } = await import("../privacy/person.ts");
      const { toOutput } = await import("../export/sink.ts");
      const text = JSON.stringify(await exportPerson(admin, workspace, asked), null, 2);
      if (output === undefined) return admin.print(text);
      await toOutput(admin, output, (take) => take(`${text}\n`));
    });

  people
    .command("erase")
    .description("delete a person, and take their data out of everything else, for ever")
    .argument("<EMAIL|ID>", "an e-mail address or the id of the person")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--yes", "do not ask")
    .option("--dry-run", "erase nothing, tell what would be")
    .option("--json", "print JSON")
    .action(async (asked: string, { workspace, yes = false, dryRun = false, json = false }: EraseOptions) => {
      const { eraseOrTry } = await import("../privacy/person.ts");
      if (!dryRun && !yes) {
        if (admin.interactive)
          admin.note(inLines(await eraseOrTry(admin, workspace, asked, { dryRun: true }), "This erases"));
        await confirmByWord(admin, "Erasing cannot be undone; --dry-run tells what would go.", "erase");
      }
      const erased = await eraseOrTry(admin, workspace, asked, { dryRun });
      show(admin, { json }, erased, (shown) => inLines(shown, dryRun ? "Would erase" : "Erased"));
    });
}

function inLines(erased: Erased, verb: string): string {
  const { formerIds, namedElsewhere } = erased;
  const former = formerIds.length > 0 ? `, once also ${formerIds.join(", ")}` : "";
  const lines = [
    `${verb} the person ${erased.id}${former}, with`,
    `  ${counted(erased.notes, "note")}, ${counted(erased.tasks, "task")} and ${counted(erased.interactions, "interaction")} with nobody else;`,
    `  their part in ${counted(erased.changedInteractions, "interaction")} with others, ${counted(erased.enrichments, "enrichment")}, ${counted(erased.merges, "merge")};`,
    `  ${counted(erased.events, "event")}, their part in ${erased.changedEvents} others, ${erased.deliveries} deliveries of webhooks;`,
    `  ${counted(erased.savedResponses, "saved response")}.`,
    "Not reached: backups, exports, and what webhooks have delivered already. One event tells by the id that the person was deleted.",
  ];
  if (namedElsewhere.length > 0)
    lines.push(
      `Texts of others may name them and were not changed: ${namedElsewhere.slice(0, NAMED_SHOWN_MAX).join(", ")}${namedElsewhere.length > NAMED_SHOWN_MAX ? ` and ${namedElsewhere.length - NAMED_SHOWN_MAX} more; --json lists all` : ""}.`,
    );
  return lines.join("\n");
}

const NAMED_SHOWN_MAX = 20;
