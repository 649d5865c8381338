import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "..", "..");
const OUTPUT_KEPT = 4000;
const HELD = "The event loop was held";

/** A process of `cli/main.mjs start`. */
export interface ServerProcess {
  pid: number;
  /** The line by which it says that it is ready; rejects with what it said when it ends before. */
  ready: Promise<string>;
  /** What it has said until now, the last of it. */
  said(): string;
  /** What its guard has reported until now: who held its event loop. docs/guides/running.md#who-held-the-event-loop */
  holds(): Held[];
  /** Sends a signal, kill -9 unless another is given; returns when the process is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A line of the guard of the event loop. Without a request id it was held for no request. */
export interface Held {
  what: string;
  ms: number;
  longestMs: number;
  requestId?: string;
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
  let output = "";
  const keep = (data: Buffer) => {
    output = (output + data.toString()).slice(-OUTPUT_KEPT);
    if (process.env.TEST_LOG_LEVEL) process.stderr.write(`${name}: ${data.toString()}`);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const said = () => output;
  const held: Held[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.includes(HELD)) return;
    const hold: Held = JSON.parse(line);
    held.push(hold);
    if (hold.requestId) process.stderr.write(`${name}: ${hold.what} held the event loop for ${hold.ms} ms\n`);
  });
  const ready = saysReady(name, child, said);
  // Who ends a process that is still starting does not wait for it to be ready.
  ready.catch(() => undefined);
  return { pid: child.pid ?? 0, ready, said, holds: () => held, end };
}

/** Waits for the line `ready …`; a process that ends before it fails with what it said. */
function saysReady(name: string, child: ChildProcess, said: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = /^ready .*(?=\n)/m.exec(said())?.[0];
      if (line !== undefined) resolve(line);
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`The process of ${name} ended with ${code}:\n${said()}`)));
  });
}
