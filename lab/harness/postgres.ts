import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import { findPostmaster, isAlive } from "contact-workspace-postgres/postmaster";
import { migrate } from "../../database/migrate/migrate.ts";
import { childrenOf, readOfProcess } from "./processes.ts";
import { runSql } from "./run-sql.ts";
import { until } from "./until.ts";

/** The begin of the names of folders that tests sweep away when a killed run has left them. */
export const FOLDER = "contact-workspace-test-";

/** A PostgreSQL of one's own, migrated. */
export interface Postgres {
  url: string;
  /** 0 while there is none. */
  pid(): number;
  /**
   * `pg_ctl stop -m immediate`: every process quits without a checkpoint. The next one recovers, at the same address.
   */
  stopImmediately(): Promise<string>;
  /** kill -9 of one process that serves a connection, after which PostgreSQL ends all others and recovers by itself. */
  killBackend(random: () => number): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts it. One that was stopped is started again at once, by the watch of database/embedded.ts. With `durable: false`
 * it does not wait for the disk, and so starts and stops sooner; a commit outlives the end of processes all the same.
 */
export async function startPostgres({ durable }: { durable: boolean }): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const cluster = join(folder, "postgres");
  const embedded = await startEmbedded(folder, { durable });
  await migrate(embedded.url);
  if (!durable) await handOverCommits(embedded.url);
  const pid = () => findPostmaster(cluster)?.pid ?? 0;

  return {
    url: embedded.url,
    pid,
    stopImmediately: async () => {
      const before = pid();
      if (before > 0) process.kill(before, "SIGQUIT");
      await until("PostgreSQL has stopped", () => pid() !== before);
      return `process ${before}`;
    },
    killBackend: async (random) => {
      const backends = backendsOf(pid());
      const victim = backends[Math.floor(random() * backends.length)];
      if (victim === undefined) return "there was none";
      process.kill(victim, "SIGKILL");
      await until("PostgreSQL has ended its other processes", () => !backends.some(isAlive));
      return `process ${victim}`;
    },
    stop: async () => {
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A commit is in the hands of the system before it is acknowledged. */
async function handOverCommits(url: string): Promise<void> {
  await runSql(url, "alter database contact_workspace set synchronous_commit = on");
}

/** Processes that serve connections: their title names the database. */
function backendsOf(postmaster: number): number[] {
  return childrenOf(postmaster).filter((pid) => /contact_workspace/.test(readOfProcess(pid, "cmdline")));
}
