import type { Argument, Command, Option } from "commander";
import { SHELLS, type Shell } from "./completion-scripts.ts";
import { argument, type CommandEntry, command } from "./table.ts";
import { commandsOf } from "./words.ts";

/** `completion`, and the hidden `complete` that its scripts ask. docs/guides/commands.md#completion */
export function completionOf(program: Command): CommandEntry[] {
  return [
    command<object, [shell: Shell]>({
      words: "completion",
      about: "print a script by which a shell completes commands and options",
      examples: ["completion bash > ~/.workspace-completion.bash"],
      args: [argument("<SHELL>", "the shell").choices(SHELLS)],
      json: null,
      async run(admin, _, shell) {
        const { completionScript } = await import("./completion-scripts.ts");
        admin.print(completionScript(shell));
        return undefined;
      },
    }),
    command<object, [words: string[]]>({
      words: "complete",
      isHidden: true,
      about: "print what may stand in the place of the last word, a line each",
      examples: [],
      args: [argument("[WORDS...]", "the words so far")],
      json: null,
      async run(admin, _, words) {
        const found = candidatesFor(program, words);
        if (found === "files") admin.print(":files");
        else for (const { value, about } of found) admin.print(about === undefined ? value : `${value}\t${about}`);
        return undefined;
      },
    }),
  ];
}

/** Candidate for a place of a command line. */
interface Candidate {
  value: string;
  /** Its meaning, in a few words. */
  about?: string;
}

/** Candidates, or the word that the shell is to complete the name of a file. */
export type Candidates = Candidate[] | "files";

/** Placeholders that stand for the name of a file: `FILE`, `FILE.csv`, `map.yaml`, `folder`. */
const FILE = /^(file|folder|path)$|\./i;

/** Words that were typed before the word at the cursor. */
interface Typed {
  command: Command;
  /** The words that are no commands, options or their values. */
  positional: string[];
  given: Set<string>;
  /** The option that wants a value at the cursor. */
  open: Option | undefined;
}

/**
 * Candidates for the place of the last word, from the commands, options and choices of the program. Hidden commands are
 * not among them.
 * @param words what was typed behind the name of the program; the last is the word at the cursor, and may be empty
 */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const current = words.at(-1) ?? "";
  const found = placeOf(readWords(program, words.slice(0, -1)), current);
  return found === "files" ? found : found.filter(({ value }) => value.startsWith(current));
}

function readWords(program: Command, words: readonly string[]): Typed {
  const typed: Typed = { command: program, positional: [], given: new Set(), open: undefined };
  for (const word of words) {
    if (typed.open) {
      typed.given.add(typed.open.attributeName());
      typed.open = undefined;
    } else if (word.startsWith("-")) readOption(typed, word);
    else {
      const below = typed.positional.length === 0 && commandsOf(typed.command).find((one) => one.name() === word);
      if (below) typed.command = below;
      else typed.positional.push(word);
    }
  }
  return typed;
}

function readOption(typed: Typed, word: string): void {
  const [flag = ""] = word.split("=");
  const option = optionOf(typed.command, flag);
  if (!option) return;
  if (option.required && !word.includes("=")) typed.open = option;
  else typed.given.add(option.attributeName());
}

function placeOf(typed: Typed, current: string): Candidates {
  const { command: below, positional, open } = typed;
  if (open) return valuesOf(open);
  if (current.startsWith("-")) return current.includes("=") ? valuesBehind(current, typed) : optionsOf(typed);
  const commands = commandsOf(below).map((one) => ({ value: one.name(), about: one.description() }));
  if (commands.length > 0) return positional.length === 0 ? commands : [];
  const place = below.registeredArguments[positional.length];
  const found = place ? valuesOf(place) : [];
  return found.length === 0 ? optionsOf(typed) : found;
}

/** Values of an option in the form `--option=value`. */
function valuesBehind(current: string, typed: Typed): Candidates {
  const [flag = ""] = current.split("=");
  const option = optionOf(typed.command, flag);
  const values = option ? valuesOf(option) : [];
  return values === "files" ? values : values.map((one) => ({ ...one, value: `${flag}=${one.value}` }));
}

function optionsOf({ command: of, given }: Typed): Candidate[] {
  return of
    .createHelp()
    .visibleOptions(of)
    .filter((option) => !given.has(option.attributeName()))
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", about: description }));
}

function valuesOf(place: Option | Argument): Candidates {
  if (place.argChoices) return place.argChoices.map((value) => ({ value }));
  const placeholder = "attributeName" in place ? (/[<[]([^>\]]+)/.exec(place.flags)?.[1] ?? "") : place.name();
  return FILE.test(placeholder) ? "files" : [];
}

function optionOf(of: Command, flag: string): Option | undefined {
  return of.options.find(({ long, short }) => flag === long || flag === short);
}
