import { randomBytes } from "node:crypto";
import { serviceFolders } from "../../config/service-folders.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { type Members, startMembers } from "../../lab/harness/members.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";

/** The name of the one process that runs all folders. */
export const ALL = "all";

/** The names of processes that run all folders each. */
export function copyName(i: number): string {
  return `${ALL}-${i}`;
}

/** A process per service folder, as in a large installation, or one process with all of them. */
export interface Cluster extends Pick<Members, "start" | "stop"> {
  base: string;
  /** Where each of the `copies` listens, in the order of their names. */
  bases: string[];
  publicUrl: string;
  /** Lets the process of a folder end in its own way (SIGTERM); returns when it is gone. */
  terminate(folder: string): Promise<void>;
  /** kill -9 of the process of a folder; returns when it is gone. */
  kill(folder: string): Promise<void>;
}

/** A process for each. That of groups brings workspaces along. */
const FOLDERS = serviceFolders().filter((name) => name !== "workspaces");

interface Options {
  /** Without it all services run in one process, `ALL`. */
  natsUrl?: string;
  databaseUrl: string;
  env?: Record<string, string>;
  /** Instead of a process per folder: so many with all folders, each with a port of its own. */
  copies?: number;
}

/** Starts all processes at once on a database that is migrated; returns when each says that it is ready. */
export async function startCluster({ natsUrl, databaseUrl, env = {}, copies = 0 }: Options): Promise<Cluster> {
  const ports = await Promise.all(Array.from({ length: Math.max(1, copies) }, freePort));
  const portOf = (folder: string) => ports[Math.max(0, names.indexOf(folder)) % ports.length];
  const names = copies > 0 ? ports.map((_, i) => copyName(i)) : natsUrl === undefined ? [ALL] : FOLDERS;
  const variables = {
    ...TEST_ENV,
    // The guard warns of a request that holds the event loop, which is printed while the tests run
    // (lab/harness/members.ts).
    EVENT_LOOP_GUARD_MS: "50",
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "warn",
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    DATABASE_URL: databaseUrl,
    NAMESPACE: `test-${randomBytes(4).toString("hex")}`,
    ...env,
  };
  const settings = names.map((name) => [
    name,
    { PORT: String(portOf(name)), ...variables, SERVICES: name.startsWith(ALL) ? "" : name },
  ]);
  const { start, end, stop } = await startMembers(Object.fromEntries(settings));
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  return {
    base: bases[0] ?? "",
    bases,
    publicUrl: variables.PUBLIC_URL,
    kill: (folder) => end(folder, "SIGKILL"),
    terminate: (folder) => end(folder, "SIGTERM"),
    start,
    stop,
  };
}
