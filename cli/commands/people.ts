import type { OutputOptions } from "../../tools/export/sink.ts";
import type { Erased } from "../../tools/privacy/erase.ts";
import type { Tried } from "../../tools/privacy/person.ts";
import { confirmByWord } from "../../tools/terminal/ask.ts";
import { answer, argument, type CommandEntry, command, option, WORKSPACE, YES } from "./table.ts";

const PERSON = argument("<EMAIL|ID>", "an e-mail address or the id of the person");

/** Commands for the rights of a person under data protection laws. docs/guides/data-protection.md */
export const PEOPLE: CommandEntry[] = [
  command<{ workspace: string } & OutputOptions, [asked: string]>({
    words: "people export",
    about: "print everything that refers to a person, as JSON",
    examples: ["people export ada@acme.test --workspace acme --output ada.json"],
    args: [PERSON],
    options: [
      WORKSPACE,
      option("--output <file>", "write into a file instead of standard output"),
      option("--force", "overwrite the file of --output, if there is one"),
    ],
    json: "print JSON, as it does anyway",
    async run(admin, { workspace, ...options }, asked) {
      const { exportPerson } = await import("../../tools/privacy/person.ts");
      const { toOutput } = await import("../../tools/export/sink.ts");
      const text = JSON.stringify(await exportPerson(admin, workspace, asked), null, 2);
      if (options.output === undefined) admin.print(text);
      else await toOutput(admin, options, (take) => take(`${text}\n`));
      return undefined;
    },
  }),
  command<{ workspace: string; yes?: boolean; dryRun?: boolean }, [asked: string]>({
    words: "people erase",
    about: "delete a person, and erase their data everywhere else permanently",
    examples: ["people erase ada@acme.test --workspace acme --dry-run"],
    args: [PERSON],
    options: [WORKSPACE, YES, option("--dry-run", "erase nothing, tell what would be")],
    async run(admin, { workspace, yes = false, dryRun = false }, asked) {
      const { eraseOrTry } = await import("../../tools/privacy/person.ts");
      if (!dryRun && !yes) {
        if (admin.interactive)
          admin.note(inLines(await eraseOrTry(admin, workspace, asked, { dryRun: true }), "This erases"));
        await confirmByWord(admin, "Erasing cannot be undone; --dry-run shows what would go.", "erase");
      }
      const erased = await eraseOrTry(admin, workspace, asked, { dryRun });
      return answer(erased, (shown) => inLines(shown, dryRun ? "Would erase" : "Erased"));
    },
  }),
];

function inLines(erased: Tried, verb: string): string {
  const { id, fullName, formerIds, namedElsewhere } = erased;
  const name = fullName ? ` (${fullName})` : "";
  const former = formerIds.length > 0 ? `, once also ${formerIds.join(", ")}` : "";
  const things = OF_PERSON.flatMap(([count, one, several = `${one}s`]) =>
    erased[count] > 0 ? `${erased[count]} ${erased[count] === 1 ? one : several}` : [],
  );
  const lines = [`${verb} the person ${id}${name}${former}${things.length > 0 ? ", with" : ""}`];
  lines.push(...things.map((thing) => `  ${thing}`));
  lines.push(
    "Not erased: backups, exports, and data that webhooks have delivered already. One event says by the id that the person was deleted.",
  );
  const [shown, more] = [namedElsewhere.slice(0, NAMED_SHOWN_MAX), namedElsewhere.length - NAMED_SHOWN_MAX];
  if (shown.length > 0)
    lines.push(
      `Texts of others may name them and are not changed: ${shown.join(", ")}${more > 0 ? ` and ${more} more; --json lists all` : ""}.`,
    );
  return lines.join("\n");
}

type Count = { [Name in keyof Erased]: Erased[Name] extends number ? Name : never }[keyof Erased];

/** Singular and plural label for each count. */
const OF_PERSON: [count: Count, one: string, several?: string][] = [
  ["notes", "note"],
  ["tasks", "task"],
  ["interactions", "interaction with nobody else", "interactions with nobody else"],
  [
    "changedInteractions",
    "interaction with others too, their part of it",
    "interactions with others too, their part of them",
  ],
  ["enrichments", "enrichment, which stays without the person", "enrichments, which stay without the person"],
  ["events", "event"],
  ["changedEvents", "event about others, their part of it", "events about others, their part of them"],
  ["deliveries", "delivery of a webhook", "deliveries of webhooks"],
  ["savedResponses", "saved response"],
];

const NAMED_SHOWN_MAX = 20;
