import { randomBytes } from "node:crypto";
import { serviceFolders } from "../../config/service-folders.ts";
import { freePort } from "./nats-server.ts";
import { TEST_ENV } from "./server-env.ts";
import { type ServerProcess, spawnServer } from "./server-process.ts";

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
  const running = new Map<string, ServerProcess>();

  async function start(folder: string): Promise<void> {
    const server = spawnServer(folder, { ...variables, SERVICES: folder === ALL ? "" : folder });
    running.set(folder, server);
    await server.ready;
  }

  async function kill(folder: string): Promise<void> {
    const server = running.get(folder);
    if (!server) throw new Error(`No process runs ${folder}.`);
    running.delete(folder);
    await server.end();
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
