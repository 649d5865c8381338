import { startEmbedded } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";
import { type Database, isUnavailable, openDatabase } from "../../database/database.ts";
import { databaseFailure } from "../../database/migrate/failure.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { refuseSharedSessions } from "../../database/migrate/unfit.ts";
import { useKeys } from "../../engine/secrets/sealing.ts";
import { keyPlaces } from "./encryption-keys.ts";
import { type Patience, tryPatiently } from "./patience.ts";

type Waiting = Pick<Patience, "onWait" | "signal">;

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

/** Opens the database of DATABASE_URL, or the embedded one in DATA_DIR, and migrates it. Waits while it is away. */
export async function openProcessDatabase(env: Env, waiting: Waiting): Promise<ProcessDatabase> {
  const embedded = env.databaseUrl === undefined ? await startEmbedded(env.dataDir) : undefined;
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    const patience = patienceOf(env, waiting);
    const applied = await tryPatiently("PostgreSQL", () => migrate(url), patience);
    const database = await tryPatiently("PostgreSQL", () => openDatabase(url, { poolMax: env.databasePool }), patience);
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
