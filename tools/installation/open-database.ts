import { setTimeout as pause } from "node:timers/promises";
import { startEmbedded } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";
import type { Waits } from "../../database/connection.ts";
import { type Database, isUnavailable, openDatabase } from "../../database/database.ts";
import { databaseFailure } from "../../database/migrate/failure.ts";
import { type MigrationTold, migrate, refuseOutdated } from "../../database/migrate/migrate.ts";
import { refuseSharedSessions } from "../../database/migrate/unfit.ts";
import { useKeys } from "../../engine/secrets/sealing.ts";
import { keyPlaces } from "./encryption-keys.ts";

type Waiting = Pick<Patience, "onWait" | "signal"> & { waits?: Waits };

/** The database that a process works on, with what closes it. */
export interface ProcessDatabase {
  database: Database;
  /** Whether it is the embedded one. */
  embedded: boolean;
  /** Names of the migrations that were applied just now. */
  applied: string[];
  /** Closes the connections, then stops the embedded server unless another process uses it. */
  close(): Promise<void>;
}

/**
 * Opens the database of DATABASE_URL, or the embedded one in DATA_DIR, and migrates it, or waits for its migrations, as
 * MIGRATIONS says. Waits while it is away.
 * @param waiting.waits those of requests unless given
 * @param told takes each migration when it has run
 */
export async function openProcessDatabase(env: Env, waiting: Waiting, told?: MigrationTold): Promise<ProcessDatabase> {
  const embedded = env.databaseUrl === undefined ? await startEmbedded(env.dataDir) : undefined;
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    const patience = patienceOf(env, waiting);
    const applied = await tryPatiently("PostgreSQL", () => migrateOrWait(env, url, told), patience);
    const options = { poolMax: env.databasePool, ...(waiting.waits && { waits: waiting.waits }) };
    const database = await tryPatiently("PostgreSQL", () => openDatabase(url, options), patience);
    useKeys(database, keyPlaces(env));
    const close = async () => {
      await database.close();
      await embedded?.stop();
    };
    return { database, embedded: embedded !== undefined, applied, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** Names of the migrations that it has applied. */
async function migrateOrWait({ migrations }: Env, url: string, told?: MigrationTold): Promise<string[]> {
  if (migrations === "apply") return migrate(url, { told });
  await refuseOutdated(url);
  return [];
}

/**
 * Looks whether every connection to the database of DATABASE_URL has a session of its own, and waits while it is away.
 * @throws Error that says what to do when a pooler before it mixes sessions
 */
export async function refusePooler({ databaseUrl, ...env }: Env, waiting: Waiting): Promise<void> {
  if (databaseUrl === undefined) return;
  const patience = patienceOf({ ...env, databaseUrl }, waiting);
  await tryPatiently("PostgreSQL", () => refuseSharedSessions(databaseUrl), patience);
}

function patienceOf({ databaseUrl }: Env, waiting: Waiting): Patience {
  return { ...waiting, isAway: isUnavailable, meaning: (error) => databaseFailure(error, databaseUrl) };
}

/**
 * Runs `work` on the database, which is not migrated before. An embedded one that does not run yet runs as long as the
 * work.
 */
export async function withDatabase<Result>(env: Env, work: (url: string) => Promise<Result>): Promise<Result> {
  if (env.databaseUrl !== undefined) return work(env.databaseUrl);
  const embedded = await startEmbedded(env.dataDir);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

const PAUSE_MS = 1_000;
/** Interval of the line that says that something is away, for admins who look later. */
const REMINDER_MS = 30_000;

export interface Patience {
  /** Whether an error means "away", so that a later attempt may succeed. All others are thrown. */
  isAway(error: unknown): boolean;
  /** Told at the first failed attempt, and again every 30 s. */
  onWait(message: string): void;
  /** Meaning of an error for that message; null, or nothing given: its own words. */
  meaning?(error: unknown): string | null;
  /** Ends the waiting with the error of the last attempt. */
  signal: AbortSignal;
}

/**
 * Makes an attempt again until it succeeds, however long that takes: a start waits for NATS and PostgreSQL.
 * docs/guides/running.md#starting
 * @param what is waited for, as the message names it
 * @throws the error of an attempt that does not mean "away", or of the last one when the signal is aborted
 */
export async function tryPatiently<T>(what: string, attempt: () => Promise<T>, patience: Patience): Promise<T> {
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (patience.signal.aborted || !patience.isAway(error)) throw error;
      if (Date.now() - toldAt >= REMINDER_MS) {
        toldAt = Date.now();
        patience.onWait(`Waiting for ${what}: ${patience.meaning?.(error) ?? (error as Error).message}`);
      }
      // An aborted pause leads to one more attempt, whose error then ends this.
      await pause(PAUSE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    }
  }
}
