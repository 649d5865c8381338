import type { Env } from "../config/env.ts";
import { startEmbedded } from "../database/embedded.ts";
import { databaseFailure } from "../database/failure.ts";
import { migrate } from "../database/migrate.ts";
import { type Database, isUnavailable, openDatabase } from "../lib/database/database.ts";
import { useKeys } from "../lib/secrets/sealing.ts";
import { keyPlaces } from "./encryption-keys.ts";
import { type Patience, tryPatiently } from "./patience.ts";

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
export async function openProcessDatabase(
  env: Env,
  waiting: Pick<Patience, "onWait" | "signal">,
): Promise<ProcessDatabase> {
  const embedded = env.databaseUrl === undefined ? await startEmbedded(env.dataDir) : undefined;
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    const meaning = (error: unknown) => databaseFailure(error, env.databaseUrl);
    const patience = { ...waiting, isAway: isUnavailable, meaning };
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
