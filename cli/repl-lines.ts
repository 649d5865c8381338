import type { AsyncCompleter } from "node:readline";
import type { REPLEval, REPLServer } from "node:repl";
import { didYouMean } from "../base/values/known-names.ts";
import { redact } from "../engine/secrets/redact.ts";

/** Commands of Moleculer's REPL that print the environment, or the settings of the broker, with passwords and keys. */
const TELLING_SECRETS = ["env", "info"];

/** Words that the REPL answers by itself. */
interface Answering {
  commands: string[];
  run(words: string[]): Promise<void>;
  note(text: string): void;
}

/**
 * Answers lines for which Moleculer's REPL has no words of use, and lets it answer all others: the help of admin
 * commands, words that are no command, and what would print secrets. Secrets that are typed do not stay in its history,
 * which is a file.
 * docs/guides/commands.md#repl
 */
export function answerLines(repl: REPLServer, { commands, run, note }: Answering): void {
  const evaluate: REPLEval = repl.eval;
  const known = [...new Set([...commands, "help", ...wordsOf(repl)])].filter((name) => !TELLING_SECRETS.includes(name));

  function answer([first = "", ...more]: string[]): Promise<void> | undefined {
    if (asksHelp([first, ...more], commands)) return run([first, ...more]);
    if (first === "" || known.includes(first)) return undefined;
    if (TELLING_SECRETS.includes(first)) note(`"${first}" is not run here: it would show passwords and keys.`);
    else note(`There is no command "${redact(first)}". ${didYouMean(first, known, { all: "help", none: "" })}`);
    return Promise.resolve();
  }

  const evaluateOrAnswer: REPLEval = (line, context, file, done) => {
    // The line is the first of the history already, and a moment later the history is written.
    const { history } = repl as unknown as { history: string[] };
    history.splice(0, 1, ...history.slice(0, 1).map(redact));
    const answered = answer(line.trim().split(/\s+/));
    // A second argument would be printed, as the value of the line.
    if (answered) void answered.finally(() => (done as (error: null) => void)(null));
    else evaluate.call(repl, line, context, file, done);
  };
  Object.assign(repl, { eval: evaluateOrAnswer });
}

/** Whether words ask for the help of an admin command. */
function asksHelp([first = "", ...more]: string[], commands: string[]): boolean {
  if (first === "help") return commands.includes(more[0] ?? "");
  return commands.includes(first) && (more.includes("--help") || more.includes("-h"));
}

/** The words that lines can begin with, for the completion of the REPL. */
function wordsOf(repl: REPLServer): string[] {
  let words: string[] = [];
  (repl.completer as AsyncCompleter)("", (_error, found) => {
    words = found?.[0] ?? [];
  });
  return words;
}
