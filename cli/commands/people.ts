import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import type { Erased } from "../../lib/privacy/erase.ts";
import { type Admin, CommandError } from "../admin.ts";
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
        if (!admin.interactive)
          throw new CommandError("Erasing cannot be undone. Say --yes to erase, or --dry-run to see what would go.", 2);
        await confirm(admin, await eraseOrTry(admin, workspace, asked, { dryRun: true }));
      }
      const erased = await eraseOrTry(admin, workspace, asked, { dryRun });
      show(admin, { json }, erased, (shown) => inLines(shown, dryRun ? "Would erase" : "Erased"));
    });
}

async function confirm(admin: Admin, erased: Erased): Promise<void> {
  admin.note(inLines(erased, "This erases"));
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question("It cannot be undone. Type erase to go on: ");
  prompt.close();
  if (answer.trim() !== "erase") throw new CommandError('The answer was not "erase", so nothing was erased.');
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
