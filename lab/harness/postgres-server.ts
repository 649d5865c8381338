import { spawnSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "contact-workspace-postgres/binaries";
import { SUPERUSER } from "contact-workspace-postgres/cluster";
import { handOver, serverUser } from "contact-workspace-postgres/server-user";
import { migrate } from "../../database/migrate/migrate.ts";
import { makeData, makeNode, type NodeOptions, newFolder, type PostgresNode } from "./postgres-node.ts";
import { until } from "./until.ts";

/** The name by which a primary knows its standby. */
export const STANDBY = "standby";

/** Starts the PostgreSQL that npm has installed on a new folder, and migrates it. It does not wait for the disk. */
export async function startPostgresServer(): Promise<PostgresNode> {
  return (await startMigrated()).node;
}

/** Starts one with a standby, without which it commits nothing. */
export async function startWithStandby(): Promise<{ primary: PostgresNode; standby: PostgresNode }> {
  const { node: primary, data, binaries } = await startMigrated();
  const standby = await standbyOf(primary, data, { binaries });
  await primary.run(`alter system set synchronous_standby_names = '${STANDBY}'`);
  await primary.run("select pg_reload_conf()");
  await until("the standby is synchronous", async () => {
    const rows = await primary.run("select 1 from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
  return { primary, standby };
}

/** Starts a standby of a primary, which it stops and starts again: the standby is a copy of its files. */
export async function standbyOf(primary: PostgresNode, data: string, options: NodeOptions): Promise<PostgresNode> {
  // A copy of a server that has stopped is a standby at once. The PostgreSQL of npm has no pg_basebackup.
  await primary.end("SIGINT");
  const copy = newFolder();
  spawnSync("cp", ["-a", join(data, "postgres"), copy]);
  const source = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${STANDBY}`;
  const folder = join(copy, "postgres");
  writeFileSync(join(folder, "standby.signal"), "");
  handOver(join(folder, "standby.signal"), serverUser(folder));
  appendFileSync(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  const standby = await makeNode(copy, options);
  await primary.start();
  await standby.start();
  return standby;
}

/** Folder of the PostgreSQL that npm has installed, with bin/. */
export function npmBinaries(): Promise<string> {
  return findBinaries(serverUser("/none"));
}

async function startMigrated(): Promise<{ node: PostgresNode; data: string; binaries: string }> {
  const binaries = await npmBinaries();
  const data = await makeData({ binaries });
  const node = await makeNode(data, { binaries });
  await node.start();
  await migrate(node.url);
  return { node, data, binaries };
}
