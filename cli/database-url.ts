import type { Env } from "../config/env.ts";
import { startEmbedded } from "../database/embedded.ts";

/** Runs work with the URL of the database as it is: nothing is migrated, and the embedded one runs as long as the work. */
export async function withDatabase<Result>(env: Env, work: (url: string) => Promise<Result>): Promise<Result> {
  if (env.databaseUrl !== undefined) return work(env.databaseUrl);
  const embedded = await startEmbedded(env.dataDir);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
