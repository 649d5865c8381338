import type { Command } from "commander";
import { nearest } from "../../lib/values/known-names.ts";
import { type Admin, CommandError } from "../admin.ts";
import { EXAMPLES } from "./examples.ts";
import { commandOf, commandsOf, nameOf } from "./words.ts";

const CALL = "npm run -s workspace --";

/** Adds `help`, and examples to the `--help` of every command. docs/guides/running.md#help */
export function addHelp(program: Command, admin: Admin): void {
  program
    .command("help")
    .description("tell what a command does, with its options and examples")
    .argument("[COMMAND...]", "a command, like keys create")
    .action((words: string[]) => {
      const command = commandOf(program, words);
      const unknown = words[command === program ? 0 : nameOf(command).split(" ").length];
      if (unknown !== undefined) throw new CommandError(unknownCommand(unknown, command), 2);
      command.outputHelp();
    });
  for (const command of everyCommand(program)) addExamples(command, admin);
}

/** What is said of a command that is not there: `unknown command "key". Did you mean keys? There are: …` */
export function unknownCommand(word: string, parent: Command): string {
  const below = commandsOf(parent);
  if (below.length === 0) return `${nameOf(parent)} has no command "${word}" below it`;
  // The word is compared with the last word of each, and they are told with all of their words.
  const near = nearest(
    word,
    below.map((command) => command.name()),
  );
  const meant = below.find((command) => command.name() === near);
  const all = below.map((command) => nameOf(command)).join(", ");
  return `There is no command "${word}". ${meant ? `Did you mean ${nameOf(meant)}? ` : ""}There are: ${all}.`;
}

function everyCommand(command: Command): Command[] {
  return [command, ...commandsOf(command).flatMap(everyCommand)];
}

function addExamples(command: Command, { inRepl }: Admin): void {
  const lines = command.parent ? (EXAMPLES[nameOf(command)] ?? []) : ["help keys create", "keys list --workspace acme"];
  if (lines.length === 0) return;
  const shown = lines.map((line) => `  ${inRepl ? line : `${CALL} ${line}`}`).join("\n");
  command.addHelpText("after", `\n${lines.length === 1 ? "Example" : "Examples"}:\n${shown}`);
}
