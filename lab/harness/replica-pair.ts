import { SUPERUSER } from "contact-workspace-postgres/cluster";
import { makeData, makeNode, type PostgresNode } from "./postgres-node.ts";
import { npmBinaries, STANDBY, standbyOf } from "./postgres-server.ts";
import { until } from "./until.ts";

const DATABASE = "contacts";
const SETTINGS = { wal_receiver_status_interval: "1" };

/** A primary and a standby that follows it, by streaming replication. */
export interface ReplicaPair {
  primary: PostgresNode;
  standby: PostgresNode;
  /** Address of the database on these servers, with a parameter or more. */
  url(servers: readonly PostgresNode[], parameters?: string): string;
  /** Lets commits on the primary wait for the standby, or no longer. */
  setSynchronous(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a pair with an empty database. */
export async function startReplicaPair(): Promise<ReplicaPair> {
  const binaries = await npmBinaries();
  const data = await makeData({ binaries });
  const primary = await makeNode(data, { binaries, settings: SETTINGS });
  await primary.start();
  await primary.run(`create database ${DATABASE} encoding 'UTF8' template template0`);
  const standby = await standbyOf(primary, data, { binaries, settings: SETTINGS });
  await until("the standby follows", async () => {
    const [row] = await primary.run("select 1 from pg_stat_replication where state = 'streaming'");
    return row !== undefined;
  });
  return {
    primary,
    standby,
    url(servers, parameters = "") {
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
      return `postgresql://${SUPERUSER}@${hosts}/${DATABASE}${parameters && `?${parameters}`}`;
    },
    async setSynchronous(isOn) {
      await primary.run(`alter system set synchronous_standby_names = '${isOn ? STANDBY : ""}'`);
      await primary.run("select pg_reload_conf()");
      await until("the setting is there", async () => {
        const [row] = await primary.run("select bool_or(sync_state = 'sync') as sync from pg_stat_replication");
        return (row?.sync ?? false) === isOn;
      });
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
