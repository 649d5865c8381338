import { createInterface } from "node:readline";
import { type Admin, CommandError } from "./admin.ts";

// Commands that ask, and commands that do not: docs/guides/commands.md#questions.

/**
 * Parts of Admin that decide whether a question can be answered: not in a script, and not in the REPL, which reads the
 * input.
 */
type Asking = Pick<Admin, "interactive" | "inRepl" | "ask">;

/**
 * Asks a person at the terminal before something is lost: `y` or `yes` goes on. Where nobody can be asked it refuses,
 * so a command that calls this takes `--yes` and does not call it then.
 * @param question what is lost, and the question, like `This deletes 12 backups. Continue?`
 * @throws CommandError when the answer is another one; with exit code 2 where nobody can be asked
 */
export async function confirm(admin: Asking, question: string): Promise<void> {
  if (!admin.interactive)
    throw new CommandError(
      `${question.replace(/ Continue\?$/, "")} This command cannot ask here: add --yes to continue.`,
      2,
    );
  const answer = await ask(admin, `${question} [y/N] `);
  if (!/^\s*(y|yes)\s*$/i.test(answer)) throw new CommandError("The answer was not yes, so nothing was done.");
}

/**
 * Like `confirm`, for commands that scripts have always run without `--yes`: a script is not asked, and the REPL
 * refuses.
 */
export async function confirmUnlessScript(admin: Asking, question: string): Promise<void> {
  if (admin.interactive || admin.inRepl) await confirm(admin, question);
}

/**
 * Like `confirm`, for commands that delete a lot: a habitual `y` is not enough, the user has to type a word.
 * @param question what is lost, in a whole sentence
 */
export async function confirmByWord(admin: Asking, question: string, word: string): Promise<void> {
  if (!admin.interactive) return confirm(admin, question);
  const answer = await ask(admin, `${question} Type ${word} to continue: `);
  if (answer.trim() !== word) throw new CommandError(`The answer was not "${word}", so nothing was done.`);
}

/**
 * Like `confirmByWord`, with the name of the deleted thing as the word. A script is not asked, as with
 * `confirmUnlessScript`.
 */
export async function confirmByName(admin: Asking, question: string, name: string): Promise<void> {
  if (admin.interactive || admin.inRepl) await confirmByWord(admin, question, name);
}

/** Asks the person at the terminal and gives what they type; the end of the input is an empty answer. */
export function ask(admin: Pick<Admin, "ask">, question: string): Promise<string> {
  return (admin.ask ?? askAtTerminal)(question);
}

/** Asks on standard error, since standard output is for results, and reads a line. */
function askAtTerminal(question: string): Promise<string> {
  process.stderr.write(question);
  // With `terminal`, Ctrl-C would come as a character, and not as the signal that ends the command.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(""));
  });
}
