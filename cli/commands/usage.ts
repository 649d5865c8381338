import type { Command, CommanderError } from "commander";
import { nearest } from "../../base/values/known-names.ts";
import { kindMeantBy } from "../../engine/records/words-for-kinds.ts";
import { CommandError } from "../../tools/terminal/admin.ts";
import { unknownCommand } from "./help.ts";
import { commandOf, commandsOf, inList, nameOf, takesAnyWord } from "./words.ts";

/** Codes of a command line without the word of a command: the command that takes any word lacks its options then. */
const MISSING = ["commander.help", "commander.missingMandatoryOptionValue", "commander.missingArgument"];

/**
 * Fault of an invalid command line, in one line that lists the possible words. Commander's own messages do not help.
 */
export function usageError(error: CommanderError, program: Command, argv: string[]): CommandError {
  const command = commandOf(program, argv);
  const below = commandsOf(command).map((one) => nameOf(one));
  const unknown = unknownOption(argv, command);
  if (below.length > 0 && !unknown && MISSING.includes(error.code))
    return new CommandError(`A command is missing. There are: ${below.join(", ")}. More with --help.`, 2);
  if (error.code === "commander.unknownCommand") {
    const [, word = ""] = /'(.*)'/.exec(error.message) ?? [];
    return new CommandError(`${unknownCommand(word, command)} More with --help.`, 2);
  }
  const options = ["--help", ...command.options.map(({ long }) => long ?? "")].filter(Boolean);
  const near = unknown ? nearest(unknown, options) : meantBy(command, argv);
  const hint = near ? ` Did you mean ${near}?` : "";
  if (below.length > 0) {
    const reason = unknown ? noOption(unknown, command, program) : withoutPrefix(error);
    const place = argv.length > 1 ? " Options stand behind the words of their command." : "";
    return new CommandError(`${reason}.${hint}${place} There are: ${below.join(", ")}. More with --help.`, 2);
  }
  const reason = unknown ? noOption(unknown, command, program) : reasonOf(error, command);
  return new CommandError(`${reason}.${hint} Usage: ${usageOf(command)}`, 2);
}

/**
 * The command that a word means which names none, where one of the commands takes any word: `import contacts` means
 * `import people`. Undefined for other commands and words.
 */
function meantBy(command: Command, argv: string[]): string | undefined {
  if (!takesAnyWord(command) || !command.parent) return undefined;
  const sisters = commandsOf(command.parent);
  const word = argv[nameOf(command).split(" ").length - 1] ?? "";
  if (sisters.some((sister) => sister.name() === word)) return undefined;
  const meant =
    kindMeantBy(word) ??
    nearest(
      word,
      sisters.map((sister) => sister.name()),
    );
  return meant && `${nameOf(command.parent)} ${meant}`;
}

function noOption(option: string, command: Command, program: Command): string {
  return command === program ? `There is no option ${option}` : `${nameOf(command)} has no option ${option}`;
}

/**
 * The first option that a command does not have. Commander complains of a required option that is missing before it
 * looks for those that are unknown, and what is missing is often the one that was mistyped.
 */
function unknownOption(argv: string[], command: Command): string | undefined {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const known = ["--help", "-h", ...command.options.flatMap(({ long, short }) => [long ?? "", short ?? ""])];
  const typed = words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split("=")[0] ?? "");
  return typed.find((word) => !known.includes(word));
}

/** Why a command with the right options cannot be run. */
function reasonOf(error: CommanderError, command: Command): string {
  switch (error.code) {
    case "commander.missingMandatoryOptionValue":
    case "commander.missingArgument":
      return missing(command);
    case "commander.optionMissingArgument":
      return `${/'(\S+)/.exec(error.message)?.[1]} needs a value`;
    case "commander.excessArguments":
      return tooMany(command);
    case "commander.invalidArgument":
      return wrongValue(error);
    default:
      return withoutPrefix(error);
  }
}

/** All that is missing, where commander tells the first. */
function missing(command: Command): string {
  const options = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
  const args = command.registeredArguments.slice(command.args.length).filter(({ required }) => required);
  const names = [...args.map((argument) => argument.name()), ...options.map(({ flags }) => flags)];
  return `${inList(names)} ${names.length === 1 ? "is" : "are"} missing`;
}

function tooMany(command: Command): string {
  const more = command.args.slice(command.registeredArguments.length).map((word) => JSON.stringify(word));
  return `There is no place for ${inList(more)}: a value of several words stands in quotes`;
}

const WRONG_OPTION = /^option '(?<place>.*?)' argument '(?<value>.*?)' is invalid\. (?<why>.*)$/s;
const WRONG_ARGUMENT = /^command-argument value '(?<value>.*?)' is invalid for argument '(?<place>.*?)'\. (?<why>.*)$/s;

/** `--access <access> cannot be "all". It takes full, read`. A message that shows the value itself stands alone. */
function wrongValue(error: CommanderError): string {
  const text = withoutPrefix(error);
  const { place, value, why = text } = (WRONG_OPTION.exec(text) ?? WRONG_ARGUMENT.exec(text))?.groups ?? {};
  if (place === undefined || why.startsWith('"') || why.startsWith("Say ")) return why;
  return `${place} cannot be "${value}". ${why.replace(/^Allowed choices are /, "It takes ")}`;
}

function withoutPrefix({ message }: CommanderError): string {
  return message.replace(/^error: /, "").replace(/\.+$/, "");
}

function usageOf(command: Command): string {
  const args = command.registeredArguments.map((argument) =>
    argument.required ? argument.name() : `[${argument.name()}]`,
  );
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [nameOf(command), ...args, ...options].join(" ");
}
