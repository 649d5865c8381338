import type { Command } from "commander";

// How commands are called in messages: below the program they are a table of words, which `help`, errors and completion share.

/** The commands below a command that are told to people, in their order. */
export function commandsOf(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((below) => command.commands.includes(below));
}

/** The command that the words name, as far as they are words of commands. */
export function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const below = command.commands.find((candidate) => candidate.name() === word);
    if (!below) break;
    command = below;
  }
  return command;
}

/** `keys create`: without the name of the program. */
export function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
