import { startEmbedded } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";

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
