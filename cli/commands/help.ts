import type { Command } from "commander";
import { nearest } from "../../base/values/known-names.ts";
import { CommandError } from "../../tools/terminal/admin.ts";
import { argument, type CommandEntry, command } from "./table.ts";
import { commandOf, commandsOf, nameOf } from "./words.ts";

/** docs/guides/commands.md#help */
export function helpOf(program: Command): CommandEntry {
  return command<object, [words: string[]]>({
    words: "help",
    about: "show what a command does, with its options and examples",
    examples: ["help keys create"],
    args: [argument("[COMMAND...]", "a command, like keys create")],
    json: null,
    async run(_admin, _options, words) {
      const found = commandOf(program, words);
      const unknown = words[found === program ? 0 : nameOf(found).split(" ").length];
      if (unknown !== undefined) throw new CommandError(unknownCommand(unknown, found), 2);
      found.outputHelp();
      return undefined;
    },
  });
}

/** Message about a command that does not exist: `unknown command "key". Did you mean keys? There are: …` */
export function unknownCommand(word: string, parent: Command): string {
  const below = commandsOf(parent);
  if (below.length === 0) return `${nameOf(parent)} has no command "${word}" below it`;
  // The word is compared with the last word of each command, and the message shows all of their words.
  const near = nearest(
    word,
    below.map((one) => one.name()),
  );
  const meant = below.find((one) => one.name() === near);
  const all = below.map(nameOf).join(", ");
  const instead = INSTEAD.get(parent.parent ? `${nameOf(parent)} ${word.toLowerCase()}` : word.toLowerCase());
  const hint = instead ?? (meant && `Did you mean ${nameOf(meant)}?`);
  return `There is no command "${word}". ${hint ? `${hint} ` : ""}There are: ${all}.`;
}

const OF_A_FILE = "The workspace file says what a workspace has: export prints it, and apply makes it so.";
const OF_RECORDS = "export people, companies or a type of objects lists records, and import makes them.";
const OF_THE_SERVER = "doctor looks at the server and its data.";

/** Commands that other programs have → the command that does it here. */
const INSTEAD = new Map(
  [
    {
      words:
        "create init groups group fields field members roles types object-types workspaces-create workspaces-add workspaces-new workspaces-make users-create users-add users-new users-invite",
      told: OF_A_FILE,
    },
    {
      words:
        "list ls companies company objects deals contacts records people-list people-show people-import people-create",
      told: OF_RECORDS,
    },
    { words: "status health check ping info", told: OF_THE_SERVER },
    { words: "start serve server run up", told: "npm start starts the server." },
    { words: "dump save", told: "backup saves the whole database." },
    { words: "load", told: "restore reads a backup, and import reads files of records." },
  ].flatMap(({ words, told }) =>
    words.split(" ").map((word) => [word.replace(/^(workspaces|users|people)-/, "$1 "), told] as const),
  ),
);
