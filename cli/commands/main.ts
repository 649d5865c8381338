import { setTimeout as pause } from "node:timers/promises";
import { openLog } from "../../bus/logger.ts";
import { readEnv } from "../../config/env.ts";
import { type Admin, localCalls } from "../../tools/terminal/admin.ts";
import { writeOut } from "../../tools/terminal/output.ts";
import { onStopSignal } from "../stop-signals.ts";
import { runCommand } from "./run.ts";

type LocalAdmin = Admin & { close(): Promise<void> };

/** The exit codes that shells give to a program which a signal has ended. */
const INTERRUPTED = 130;
const TERMINATED = 143;
/** Longest time that a stopped command waits for the running statement, which ends by itself. */
const CLOSE_MS_MAX = 10_000;

let stopWords: string | undefined;

/** Runs one command of the admin command line and gives its exit code. docs/guides/commands.md */
export async function main(argv: string[]): Promise<number> {
  // The program that reads the output may have ended before, as `| head` does. That is no error of the command.
  process.stdout.on("error", () => undefined);
  const admin = openAdmin();
  if (!admin) return 1;
  onStopSignal((reason) => void stop(admin, reason === "SIGINT" ? INTERRUPTED : TERMINATED));
  const code = await runCommand(argv, admin);
  await admin.close();
  return code;
}

/** Ends a command after a stop signal. It closes the database: an embedded one would go on running without any user. */
async function stop(admin: LocalAdmin, code: number): Promise<void> {
  admin.note(stopWords === undefined ? "Stopped." : `Stopped. ${stopWords}`);
  // The command itself goes on until its next call fails, and would tell that failure.
  admin.note = () => undefined;
  admin.print = () => undefined;
  await Promise.race([admin.close(), pause(CLOSE_MS_MAX)]);
  process.exit(code);
}

function openAdmin(): LocalAdmin | undefined {
  try {
    const env = readEnv();
    // Standard output is for results, so logs go to standard error, and only when LOG_LEVEL is set, since commands tell
    // their errors themselves: docs/guides/monitoring.md#logs.
    const log = openLog(process.env.LOG_LEVEL ? env.logLevel : "fatal", process.stderr);
    return {
      env,
      ...localCalls(env, log),
      print: (text) => process.stdout.write(`${text}\n`),
      write: (text) => writeOut(process.stdout, text),
      note: (text) => process.stderr.write(`${text}\n`),
      sayWhenStopped: (words) => {
        stopWords = words;
      },
      interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
      ...(!process.stdin.isTTY && { piped: process.stdin }),
      // Never aborted, since a signal ends the whole process.
      interrupted: new AbortController().signal,
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return undefined;
  }
}
