import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { serviceFolders } from "../../config/service-folders.ts";
import { freePort } from "./nats-server.ts";
import { TEST_ENV } from "./server-env.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const OUTPUT_KEPT = 4000;

/** The name of the one process that runs all folders. */
export const ALL = "all";

/** A process per service folder, as in a large installation, or one process with all of them. */
export interface Cluster {
  base: string;
  publicUrl: string;
  /** kill -9 of the process of a folder; returns when it is gone. */
  kill(folder: string): Promise<void>;
  /** Starts the process of a folder again; returns when it says that it is ready. */
  start(folder: string): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** Without it all services run in one process, `ALL`. */
  natsUrl?: string;
  databaseUrl: string;
  env?: Record<string, string>;
}

/** Starts all processes at once on a database that is migrated; returns when each says that it is ready. */
export async function startCluster({ natsUrl, databaseUrl, env = {} }: Options): Promise<Cluster> {
  const port = await freePort();
  const variables = {
    ...TEST_ENV,
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    DATABASE_URL: databaseUrl,
    NAMESPACE: `test-${randomBytes(4).toString("hex")}`,
    PORT: String(port),
    ...env,
  };
  const running = new Map<string, ChildProcess>();

  async function start(folder: string): Promise<void> {
    const child = spawn(process.execPath, [join(ROOT, "cli", "main.mjs"), "start"], {
      // With npm's variable a process watches its parent, and ends when the tests are killed.
      env: { ...process.env, ...variables, SERVICES: folder === ALL ? "" : folder, npm_lifecycle_event: "test" },
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.set(folder, child);
    await ready(folder, child);
  }

  async function kill(folder: string): Promise<void> {
    const child = running.get(folder);
    if (!child) throw new Error(`No process runs ${folder}.`);
    running.delete(folder);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  const stop = async () => {
    await Promise.all([...running.keys()].map(kill));
  };
  try {
    await Promise.all((natsUrl === undefined ? [ALL] : serviceFolders()).map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return { base: `http://127.0.0.1:${port}`, publicUrl: variables.PUBLIC_URL, kill, start, stop };
}

/** Waits for the line `ready …`; a process that ends before it fails with what it said. */
function ready(folder: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (data: Buffer) => {
      output = (output + data.toString()).slice(-OUTPUT_KEPT);
      if (/^ready /m.test(output)) resolve();
      if (process.env.TEST_LOG_LEVEL) process.stderr.write(`${folder}: ${data.toString()}`);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`The process of ${folder} ended with ${code}:\n${output}`)));
  });
}
