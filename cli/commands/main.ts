import { setTimeout as pause } from "node:timers/promises";
import { openLog } from "../../broker/logger.ts";
import { readEnv } from "../../config/env.ts";
import { type Admin, localCalls } from "../admin.ts";
import { onStopSignal } from "../stop-signals.ts";
import { runCommand } from "./run.ts";

type LocalAdmin = Admin & { close(): Promise<void> };

/** Exit codes as shells give them to what a signal has ended. */
const INTERRUPTED = 130;
const TERMINATED = 143;
/** The statement that runs when a command is stopped ends by itself, but nobody waits for it longer than this. */
const CLOSE_MS_MAX = 10_000;

/** Runs one command of the admin command line and gives its exit code. running.md, "The admin command line". */
export async function main(argv: string[]): Promise<number> {
  // Whoever read our output may have gone away, `| head` for example.
  process.stdout.on("error", () => undefined);
  const admin = openAdmin();
  if (!admin) return 1;
  onStopSignal((reason) => void stop(admin, reason === "SIGINT" ? INTERRUPTED : TERMINATED));
  const code = await runCommand(argv, admin);
  await admin.close();
  return code;
}

/** Killed in the middle of an import it would leave an embedded database running that nobody uses. */
async function stop(admin: LocalAdmin, code: number): Promise<void> {
  admin.note("Stopped. What was done stays done; the same command again does the rest.");
  // The command goes on until its next call fails, and has nothing to say any more.
  admin.note = () => undefined;
  admin.print = () => undefined;
  await Promise.race([admin.close(), pause(CLOSE_MS_MAX)]);
  process.exit(code);
}

function openAdmin(): LocalAdmin | undefined {
  try {
    const env = readEnv();
    // Standard output is for results. Unless somebody asks for more, a command says what it has to say itself.
    const log = openLog(process.env.LOG_LEVEL ? env.logLevel : "fatal", process.stderr);
    return {
      env,
      ...localCalls(env, log),
      print: (text) => process.stdout.write(`${text}\n`),
      note: (text) => process.stderr.write(`${text}\n`),
      interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return undefined;
  }
}
