import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "..", "cli", "main.mjs");
const PROMPT = "workspace $ ";

/** The REPL of the real command: hundreds of commands in one process, in the time that a dozen processes take. */
export interface Repl {
  /** Answers of one command, without the prompt. */
  run(words: string[]): Promise<{ out: string; err: string }>;
  stop(): Promise<void>;
}

/** Starts it with this folder as its own. */
export async function startRepl(databaseUrl: string, folder: string, home: string, hasClock: boolean): Promise<Repl> {
  const clock = hasClock ? ["--import", join(import.meta.dirname, "clock.mjs")] : [];
  const child = spawn(process.execPath, ["--disable-warning=DEP0097", ...clock, MAIN, "repl"], {
    env: { PATH: process.env.PATH, HOME: home, DATABASE_URL: databaseUrl, LOG_LEVEL: "fatal", TZ: "UTC" },
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const told = { out: "", err: "" };
  let heard: () => void = () => undefined;
  const listen = (name: "out" | "err", stream: NodeJS.ReadableStream) => {
    stream.setEncoding("utf8");
    stream.on("data", (data: string) => {
      told[name] += data;
      heard();
    });
  };
  listen("out", child.stdout);
  listen("err", child.stderr);
  let hasEnded = false;
  child.once("close", () => {
    hasEnded = true;
    heard();
  });
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      heard = () => {
        if (isThere()) resolve();
        else if (hasEnded) reject(new Error(`The REPL has ended:\n${told.out}\n${told.err}`));
      };
      heard();
    });
  await until(() => told.out.endsWith(PROMPT));
  let count = 0;
  return {
    run: async (words) => {
      count += 1;
      const mark = `golden-mark-${count}-`;
      Object.assign(told, { out: "", err: "" });
      child.stdin.write(`${words.map(quoted).join(" ")}\n`);
      await until(() => told.out.endsWith(PROMPT));
      const out = told.out.slice(0, -PROMPT.length);
      // A word that is no command shows where standard error of the command ends.
      child.stdin.write(`${mark}\n`);
      await until(
        () => told.err.includes(mark) && told.err.endsWith("\n") && told.out.length > out.length + PROMPT.length,
      );
      return { out, err: told.err.slice(0, told.err.lastIndexOf(`There is no command "${mark}`)) };
    },
    stop: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.stdin?.end();
  });
}

/** A word as the REPL divides lines: it knows both quotes and no backslash. */
function quoted(word: string): string {
  if (word !== "" && !/[\s'"]/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
