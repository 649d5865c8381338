import type { Command } from "commander";

// Names of commands in messages: below the program they are a table of words, which `help`, errors and completion
// share.

/** The commands below a command that users see, in their order. */
export function commandsOf(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((below) => command.commands.includes(below));
}

/**
 * The command that is meant where a word names none of its sisters. Commander has `isDefault` for it, and no way to
 * read it.
 */
export const ANY_WORD = "import objects";

/** True if the command is meant when a word names none of its sister commands. */
export function takesAnyWord(command: Command): boolean {
  return nameOf(command) === ANY_WORD;
}

/**
 * The command that the words name, as far as they are words of commands. A word that none of the commands below has
 * belongs to the one among them that takes any: `import Deals` is `import objects Deals`.
 */
export function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const below = command.commands.find((candidate) => candidate.name() === word);
    if (!below) return word.startsWith("-") ? command : (command.commands.find(takesAnyWord) ?? command);
    command = below;
  }
  return command;
}

/** `keys create`: without the name of the program. */
export function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Said when a command is stopped that does its work in steps. */
export const GOES_ON = "What was done stays done; the same command again does the rest.";

/** `a, b and c` */
export function inList(parts: string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
