import type { Argument, Command, Option } from "commander";
import { commandsOf } from "../terminal/words.ts";

/** Candidate for a place of a command line. */
export interface Candidate {
  value: string;
  /** Its meaning, in a few words. */
  about?: string;
}

/** Completion candidates that need the database. */
export type KnownKind = "workspaces" | "groups" | "users" | "keys" | "webhooks";

/** Candidates, or the word that the shell is to complete the name of a file. */
export type Candidates = Candidate[] | "files";

/** Gives what there is of a kind, in a workspace where one was typed. */
export type Known = (kind: KnownKind, workspace: string | undefined) => Promise<Candidate[]>;

/** Values that are not found in the program itself, by the names of options and arguments. */
const KNOWN_BY_NAME: Record<string, KnownKind> = {
  workspace: "workspaces",
  group: "groups",
  user: "users",
  email: "users",
  KEY: "keys",
  WEBHOOK_ID: "webhooks",
};

/** Placeholders that stand for the name of a file: `FILE`, `FILE.csv`, `map.yaml`, `folder`. */
const FILE = /^(file|folder|path)$|\./i;

/** Words that were typed before the word at the cursor. */
interface Typed {
  command: Command;
  /** The words that are no commands, options or their values. */
  positional: string[];
  given: Map<string, string>;
  /** The option that wants a value at the cursor. */
  open: Option | undefined;
}

/**
 * Candidates for the place of the last word, from the commands, options and choices of the program. Hidden commands are
 * not among them.
 * @param words what was typed behind the name of the program; the last is the word at the cursor, and may be empty
 */
export async function candidatesFor(program: Command, words: readonly string[], known: Known): Promise<Candidates> {
  const current = words.at(-1) ?? "";
  const typed = readWords(program, words.slice(0, -1));
  const found = await placeOf(typed, current, known);
  return found === "files" ? found : found.filter(({ value }) => value.startsWith(current));
}

function readWords(program: Command, words: readonly string[]): Typed {
  const typed: Typed = { command: program, positional: [], given: new Map(), open: undefined };
  for (const word of words) {
    if (typed.open) {
      typed.given.set(typed.open.attributeName(), word);
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
  const [flag = "", ...value] = word.split("=");
  const option = optionOf(typed.command, flag);
  if (!option) return;
  if (option.required && !word.includes("=")) typed.open = option;
  else typed.given.set(option.attributeName(), value.join("="));
}

async function placeOf(typed: Typed, current: string, known: Known): Promise<Candidates> {
  const { command, positional, open } = typed;
  const workspace = typed.given.get("workspace");
  if (open) return valuesOf(open, workspace, known);
  if (current.startsWith("-")) return current.includes("=") ? valuesBehind(current, typed, known) : optionsOf(typed);
  const below = commandsOf(command).map((one) => ({ value: one.name(), about: one.description() }));
  if (below.length > 0) return positional.length === 0 ? below : [];
  const argument = command.registeredArguments[positional.length];
  const found = argument ? await valuesOf(argument, workspace, known) : [];
  return found.length === 0 ? optionsOf(typed) : found;
}

/** Values of an option in the form `--option=value`. */
async function valuesBehind(current: string, { command, given }: Typed, known: Known): Promise<Candidates> {
  const [flag = ""] = current.split("=");
  const option = optionOf(command, flag);
  const values = option ? await valuesOf(option, given.get("workspace"), known) : [];
  return values === "files" ? values : values.map((one) => ({ ...one, value: `${flag}=${one.value}` }));
}

function optionsOf({ command, given }: Typed): Candidate[] {
  const all = command.createHelp().visibleOptions(command);
  return all
    .filter((option) => !given.has(option.attributeName()))
    .map(({ long, short, description }) => ({ value: long ?? short ?? "", about: description }));
}

async function valuesOf(place: Option | Argument, workspace: string | undefined, known: Known): Promise<Candidates> {
  if (place.argChoices) return place.argChoices.map((value) => ({ value }));
  const isOption = "attributeName" in place;
  const name = isOption ? place.attributeName() : place.name();
  const kind = KNOWN_BY_NAME[name];
  if (kind) return known(kind, workspace);
  const placeholder = isOption ? (/[<[]([^>\]]+)/.exec(place.flags)?.[1] ?? "") : name;
  return FILE.test(placeholder) ? "files" : [];
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}
