import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./server-process.ts";

/** What a command of a process of its own has said, and how it ended; null when a signal has ended it. */
export interface Commanded {
  code: number | null;
  out: string;
  err: string;
}

/** A command that runs, in a process that may be killed. */
export interface RunningCommand {
  child: ChildProcess;
  ended: Promise<Commanded>;
}

/**
 * Starts a command of the admin command line in a process of its own, with these variables besides those of this one.
 * @param root the checkout whose command line it is
 */
export function startCommand(words: string[], variables: Record<string, string>, root = ROOT): RunningCommand {
  const { program, args, ...where } = commandLine(words, variables, { root });
  const child = spawn(program, args, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data.toString();
  });
  const ended = new Promise<Commanded>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { child, ended };
}

/** What a process of its own is started with: for a command, or for the REPL. */
export function commandLine(
  words: string[],
  variables: Record<string, string>,
  { start = "workspace", root = ROOT }: { start?: "workspace" | "repl"; root?: string } = {},
) {
  return {
    program: process.execPath,
    args: [join(root, "cli", "main.mjs"), start, ...words],
    env: { ...process.env, DATABASE_URL: "", ...variables, npm_lifecycle_event: "test" },
    cwd: root,
  };
}

/** Runs a command to its end. */
export function command(words: string[], variables: Record<string, string>): Promise<Commanded> {
  return startCommand(words, variables).ended;
}
