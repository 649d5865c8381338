import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import { findPostmaster } from "contact-workspace-postgres/postmaster";
import { startCommand } from "../../harness/command.ts";
import { type Running, startServer } from "../../harness/server-process.ts";

/** A server that is measured, with its database. */
export interface Served {
  name: string;
  url: string;
  postmaster: number;
  /** Starts the server on the database, or on what stands before it. */
  serve(url?: string): Promise<Serving>;
}

export type Serving = Pick<Running, "pid" | "port" | "stop">;

/** A checkout with a PostgreSQL of its own. Nothing is known of it but its API and its command line. */
export interface Side extends Served {
  name: "other" | "this";
  root: string;
  /** Holds its database and what is kept for a next run. */
  folder: string;
  /** Whether the database was made by this run. */
  fresh: boolean;
  /** @param flags options of Node */
  serve(url?: string, flags?: string[]): Promise<Serving>;
  /** Runs its admin command line and gives what that prints; throws when it fails. */
  command(words: string[], url?: string): Promise<string>;
  /** Stops the database, and before it whatever server or command still runs. */
  stop(): Promise<void>;
}

export const PUBLIC_URL = "http://localhost:3000";
/** Limits count and their headers are sent, but nobody meets them. */
const ENV = { RATE_LIMITS: "default=1000000/2,burst=1000000/1", PUBLIC_URL, LOG_LEVEL: "warn" };

/**
 * Starts the database of a side. Both are started by this checkout, so both have the same PostgreSQL with the same
 * settings.
 */
export async function openSide(name: Side["name"], root: string, data: string): Promise<Side> {
  const folder = join(data, name);
  mkdirSync(folder, { recursive: true });
  const { url, fresh, stop: stopDatabase } = await startEmbedded(folder);
  const postmaster = findPostmaster(join(folder, "postgres"))?.pid ?? 0;
  const servers: Promise<Running>[] = [];
  const commands: Promise<string>[] = [];
  const over = new AbortController();

  async function serve(at = url, flags: string[] = []): Promise<Running> {
    over.signal.throwIfAborted();
    const starting = startServer({ ...ENV, DATABASE_URL: at }, { root, flags });
    servers.push(starting);
    return starting;
  }

  function command(words: string[], at = url): Promise<string> {
    const running = runCommand(root, words, { ...ENV, DATABASE_URL: at }, over.signal);
    commands.push(running);
    return running;
  }

  async function stop(): Promise<void> {
    over.abort();
    // PostgreSQL goes on as long as somebody uses it.
    await Promise.allSettled(commands);
    for (const server of await Promise.allSettled(servers)) {
      if (server.status === "fulfilled") await server.value.stop();
    }
    await stopDatabase();
  }

  return { name, root, folder, url, fresh, postmaster, serve, command, stop };
}

async function runCommand(
  root: string,
  words: string[],
  variables: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const { child, ended } = startCommand(words, variables, root);
  signal.addEventListener("abort", () => child.kill());
  const { code, out, err } = await ended;
  if (code !== 0) throw new Error(`"${words.join(" ")}" in ${root} ended with ${code}: ${err || out}`);
  return out;
}
