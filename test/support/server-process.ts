import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const OUTPUT_KEPT = 4000;

/** A process of `cli/main.mjs start`. */
export interface ServerProcess {
  pid: number;
  /** The line by which it says that it is ready; rejects with what it said when it ends before. */
  ready: Promise<string>;
  /** Sends a signal, kill -9 unless another is given; returns when the process is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a process with these variables besides those of this one. */
export function spawnServer(name: string, variables: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, [join(ROOT, "cli", "main.mjs"), "start"], {
    // With npm's variable a process watches its parent, and ends when the tests are killed.
    env: { ...process.env, ...variables, npm_lifecycle_event: "test" },
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    await ended;
  };
  const ready = saysReady(name, child);
  // Who ends a process that is still starting does not wait for it to be ready.
  ready.catch(() => undefined);
  return { pid: child.pid ?? 0, ready, end };
}

/** Waits for the line `ready …`; a process that ends before it fails with what it said. */
function saysReady(name: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (data: Buffer) => {
      output = (output + data.toString()).slice(-OUTPUT_KEPT);
      const line = /^ready .*(?=\n)/m.exec(output)?.[0];
      if (line !== undefined) resolve(line);
      if (process.env.TEST_LOG_LEVEL) process.stderr.write(`${name}: ${data.toString()}`);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`The process of ${name} ended with ${code}:\n${output}`)));
  });
}
