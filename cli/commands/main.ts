import { readEnv } from "../../config/env.ts";
import { openLog } from "../../config/logger.ts";
import { type Admin, localCalls } from "../admin.ts";
import { runCommand } from "./run.ts";

/** Runs one command of the admin command line and gives its exit code. running.md, "The admin command line". */
export async function main(argv: string[]): Promise<number> {
  // Whoever read our output may have gone away, `| head` for example.
  process.stdout.on("error", () => undefined);
  const admin = openAdmin();
  if (!admin) return 1;
  const code = await runCommand(argv, admin);
  await admin.close();
  return code;
}

function openAdmin(): (Admin & { close(): Promise<void> }) | undefined {
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
