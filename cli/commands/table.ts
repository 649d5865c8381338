import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { newUuid } from "../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { ANY_WORD } from "./words.ts";

/** Result of a command. */
export interface Answer {
  /** Value that `--json` prints. */
  value: unknown;
  /** Text that is printed without `--json`. */
  text: string;
  /** Fault that is printed after the result; the command then ends with exit code 1. */
  fault?: string | null;
}

/** One command of the command line. `--help`, the usage errors, the REPL and the tab key are made of it. */
export interface CommandEntry {
  /** The words that are typed: `keys create`. */
  words: string;
  /** Its purpose, as lists of commands tell it. */
  about: string;
  /** Command lines that `--help` shows. test/cli/help.test.ts reads each as the command line does. */
  examples: readonly string[];
  args?: readonly Argument[];
  options?: readonly Option[];
  /**
   * Description of `--json`, which every command takes; null for one whose result is no JSON, or that has an option of
   * its own.
   */
  json?: string | null;
  isHidden?: true;
  /**
   * Set for a command that leaves entries in the log: of records, which `undo` takes back, or of users, keys, groups
   * and the like, which it does not. At its end such a command tells the id of its run.
   */
  changes?: "records" | "settings";
  /** Does the work. Undefined if the command has printed its result itself. */
  run(admin: Admin, options: object, args: unknown[]): Promise<Answer | undefined>;
}

type Run<Options, Args extends unknown[]> = (
  admin: Admin,
  options: Options & { json?: boolean },
  ...args: Args
) => Promise<Answer | undefined>;

/** The answer with a value, and with its words. */
export function answer<Value>(value: Value, words: (value: Value) => string): Answer {
  return { value, text: words(value) };
}

/** An entry of the table, with the types of its options and arguments. */
export function command<Options = object, Args extends unknown[] = string[]>(
  entry: Omit<CommandEntry, "run"> & { run: Run<Options, Args> },
): CommandEntry {
  return {
    ...entry,
    run: (admin, options, args) => entry.run(admin, options as Options & { json?: boolean }, ...(args as Args)),
  };
}

/** An option. Its value, if it has one, is read by `parse`, which throws InvalidArgumentError. */
export function option(flags: string, about: string, parse?: (text: string) => unknown): Option {
  const made = new Option(flags, about);
  return parse ? made.argParser(parse) : made;
}

/** An option without which the command is not run. */
export function required(flags: string, about: string): Option {
  return option(flags, about).makeOptionMandatory();
}

/** An argument: `<FILE>` has to be there, `[TYPE]` may be. */
export function argument(name: string, about: string, parse?: (text: string) => unknown): Argument {
  const made = new Argument(name, about);
  return parse ? made.argParser(parse) : made;
}

/** Reads a time of an option. @throws InvalidArgumentError for a text that is neither a timestamp nor a date */
export function timeOf(text: string): string {
  if (instantOfTimeOrDate(text) !== null) return text;
  throw new InvalidArgumentError("It takes a date like 2026-03-01 or a timestamp like 2026-03-01T09:30:00Z.");
}

export const WORKSPACE = required("--workspace <slug>", "the workspace");
export const YES = option("--yes", "do not ask");

/** Descriptions of the words that stand above several commands. */
const ABOVE: Record<string, string> = {
  keys: "API keys of users",
  users: "users of a workspace",
  workspaces: "all workspaces of the server",
  import: "people, companies, deals and other objects from files; interactions from mails, calendars and chats",
  people: "all data of one person: hand it out, or erase it",
  webhooks: "webhooks of users, and what is sent to them",
  encryption: "keys by which stored secrets are encrypted",
};

const CALL = "npm run -s workspace --";

/** Adds a command to the program, below the command of its first word if it has several. */
export function addCommand(program: Command, admin: Admin, entry: CommandEntry): void {
  const { args = [], options = [], json = "print JSON", isHidden: hidden = false } = entry;
  const [name = "", above] = entry.words.split(" ").reverse();
  const parent = above === undefined ? program : groupOf(program, above);
  const made = parent.command(name, { hidden, isDefault: entry.words === ANY_WORD }).description(entry.about);
  for (const one of args) made.addArgument(one);
  for (const one of options) made.addOption(one);
  if (json !== null) made.option("--json", json);
  addExamples(made, entry.examples, admin);
  made.action(async (...typed: unknown[]) => {
    const given = typed[args.length] as { json?: boolean; workspace?: string; dryRun?: boolean };
    const run = inRun(admin);
    const result = await entry.run(run.admin, given, typed.slice(0, args.length)).finally(() => {
      if (entry.changes === "records" && run.hasWritten())
        admin.note(`To take this run back: undo --workspace ${given.workspace} --request ${run.id}`);
    });
    if (result) admin.print(given.json ? JSON.stringify(result.value) : result.text);
    if (entry.changes === "settings" && !given.dryRun) admin.note(`Request id of this run: ${run.id}`);
    if (result?.fault) throw new CommandError(result.fault);
  });
}

/** One run of a command, with the id by which history names it. docs/guides/history-and-undo.md#at-the-command-line */
function inRun(admin: Admin): { admin: Admin; id: string; hasWritten(): boolean } {
  const id = newUuid();
  let hasWritten = false;
  const call: Admin["call"] = async (action, params, author) => {
    const result = await admin.call<never>(action, params, { source: "commandLine", ...author, requestId: id });
    // Actions that change records can be tried.
    hasWritten ||= params.dryRun === false;
    return result;
  };
  return { admin: { ...admin, call }, id, hasWritten: () => hasWritten };
}

function groupOf(program: Command, word: string): Command {
  const known = program.commands.find((group) => group.name() === word);
  return known ?? program.command(word).description(ABOVE[word] ?? "");
}

/** Shows examples below the `--help` of a command. */
export function addExamples(command: Command, examples: readonly string[], { inRepl }: Pick<Admin, "inRepl">): void {
  if (examples.length === 0) return;
  const shown = examples.map((line) => `  ${inRepl ? line : `${CALL} ${line}`}`).join("\n");
  command.addHelpText("after", `\n${examples.length === 1 ? "Example" : "Examples"}:\n${shown}`);
}
