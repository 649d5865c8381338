import { afterAll, expect, test } from "@jest/globals";
import type { Command } from "commander";
import { adminProgram, commandsIn } from "../../cli/commands/run.ts";
import type { CommandEntry } from "../../cli/commands/table.ts";
import { commandsOf, nameOf } from "../../cli/commands/words.ts";
import { readEnv } from "../../config/env.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { adminOf } from "../support/admin.ts";

// docs/guides/commands.md#help. Nothing of this needs a database.
const admin = adminOf("postgresql://cw@127.0.0.1:1/x");
afterAll(() => admin.close());

const silent: Admin = {
  env: readEnv({}),
  call: () => Promise.reject(new Error("Help calls no service")),
  print: () => undefined,
  write: async () => true,
  note: () => undefined,
  interactive: false,
};

function leaves(command: Command): Command[] {
  const below = commandsOf(command);
  return below.length === 0 ? [command] : below.flatMap(leaves);
}
const commands = leaves(adminProgram(silent)).map(nameOf);

test("help alone lists the commands", async () => {
  for (const words of ["help", "--help", "-h"]) {
    const { code, out, err } = await admin.run(words);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Usage: workspace \[options\] \[command\]/);
    for (const name of ["apply", "keys", "doctor", "completion"]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(out).toContain("help keys create");
    expect(out).not.toMatch(/^ {2}complete /m);
  }
});

test.each(commands)("help and --help of %s are alike, and end with an example", async (name) => {
  const [help, option] = [await admin.run(`help ${name}`), await admin.run(`${name} --help`)];
  expect(help).toMatchObject({ code: 0, err: "" });
  expect(help.out).toBe(option.out);
  expect(help.out).toMatch(new RegExp(`\\nExamples?:\\n(  npm run -s workspace -- ${name}.*\\n?)+$`));
});

test("help of commands with others below them lists those", async () => {
  const { out } = await admin.run("help keys");
  expect(out).toMatch(/^Usage: workspace keys/);
  for (const name of ["create", "list", "rotate", "rename", "revoke"])
    expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
});

const table = commandsIn(adminProgram(silent)).filter(({ isHidden }) => !isHidden);

/** A command with something in each of its necessary places. */
function whole({ words, args = [], options = [] }: CommandEntry): string[] {
  const needed = options.filter(({ mandatory }) => mandatory);
  return [words, ...args.map(() => "x"), ...needed.flatMap(({ long }) => [long ?? "", "x"])];
}

test.each(table.map((entry) => [entry.words, entry] as const))(
  "%s exits with 2 for wrong usage, in one line",
  async (words, entry) => {
    const { args = [], options = [] } = entry;
    const line = whole(entry);
    const wrong = [[...line, "--nonsense"]];
    if (!args.some(({ variadic }) => variadic)) wrong.push([...line, "one", "word", "more"]);
    if (args.some(({ required }) => required) || options.some(({ mandatory }) => mandatory)) wrong.push([words]);
    for (const { long = "", required, argChoices, parseArg } of options) {
      if (required) wrong.push([...line, String(long)]);
      if (argChoices || parseArg) wrong.push([...line, String(long), "nonsense"]);
    }
    for (const [first = "", ...more] of wrong) {
      const { code, out, err } = await admin.run(first, ...more);
      const lines = err.split("\n").length;
      expect({ more, code, out, lines }).toEqual({ more, code: 2, out: "", lines: 1 });
    }
  },
);

/** The words of a line as a shell divides it, as far as examples need it. */
function wordsOf(line: string): string[] {
  return [...line.replace(/ > .*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

test.each(table.flatMap(({ words, examples }) => examples.map((line) => [line, words])))(
  "the example %j is read as a call of its command",
  async (line, name) => {
    let called = "";
    const program = adminProgram(silent);
    for (const command of leaves(program))
      command.action(() => {
        called = nameOf(command);
      });
    await program.parseAsync(wordsOf(line), { from: "user" });
    expect(called).toBe(name);
  },
);

test.each([
  ["key list", 'There is no command "key". Did you mean keys? There are: apply, '],
  ["help key", 'There is no command "key". Did you mean keys? There are: apply, '],
  ["keys lst", 'There is no command "lst". Did you mean keys list? There are: keys create, keys list, '],
  ["help keys lst", 'There is no command "lst". Did you mean keys list? There are: keys create, keys list, '],
  ["help keys list more", 'keys list has no command "more" below it'],
  [
    "keys list --workspce acme",
    "keys list has no option --workspce. Did you mean --workspace? Usage: keys list --workspace <slug>",
  ],
  ["workspaces create", 'There is no command "create". The workspace file says what a workspace has: export prints it'],
  ["groups list", 'There is no command "groups". The workspace file says what a workspace has: export prints it'],
  ["people list", 'There is no command "list". export people, companies or a type of objects lists records'],
  ["status", 'There is no command "status". doctor looks at the server and its data. There are: apply, '],
  ["help kyes", 'There is no command "kyes". Did you mean keys? There are: apply, '],
  ["--hlp", "There is no option --hlp. Did you mean --help? There are: apply, "],
  ["import", "A command is missing. There are: import people, import companies, "],
  ["import contacts", "FILE, --workspace <slug> and --group <group> are missing. Did you mean import people? Usage: "],
  ["import mails x.mbox --workspace acme", "--group <group> is missing. Did you mean import interactions? Usage: "],
  ["import peple x.csv", "--workspace <slug> and --group <group> are missing. Did you mean import people? Usage: "],
  ["import Deals x.csv", "--workspace <slug> and --group <group> are missing. Usage: import objects TYPE FILE "],
  ["complet", 'There is no command "complet". Did you mean completion? There are: '],
])("%j is wrong usage, and tells the nearest that there is", async (words, message) => {
  const { code, out, err } = await admin.run(words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err.startsWith(message) ? message : err).toBe(message);
});
