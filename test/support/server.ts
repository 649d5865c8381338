import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ServiceBroker } from "moleculer";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { startNats } from "../../lab/harness/nats-server.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { startCluster } from "./cluster.ts";
import { PATIENT, type TestDatabase, testDatabase } from "./database.ts";
import { environment, type SharedServer, topology } from "./test-run.ts";

/** A whole server to send requests to. */
export interface TestServer {
  /** Where it listens. */
  base: string;
  /** What its links begin with. */
  publicUrl: string;
  database: Database;
  stop(): Promise<void>;
}

interface Options {
  /** Environment variables besides those of TEST_ENV. */
  env?: Record<string, string> | undefined;
  /** What the services get in the place of the database. */
  wrap?: (database: Database) => Database;
  /** The services that are there; all of them unless told otherwise. */
  folders?: string[];
  /** The database; a new one unless told otherwise. */
  on?: Pick<TestDatabase, "url" | "database" | "drop">;
  /** Where the access log goes; nowhere unless told otherwise. */
  accessLog?: { write(text: string): void };
}

/**
 * Whether the servers of this project are one process per service folder over NATS, or one process with all of them.
 */
export const overNats = topology === "over NATS";

/**
 * Joins the server that the files of the project share, or starts one in the topology of the project.
 * @param env variables besides those of TEST_ENV; the server is then one's own
 */
export function startServer(env?: Record<string, string>): Promise<TestServer> {
  const shared = env ? undefined : environment.shared();
  if (shared) return joinServer(shared);
  return overNats ? startOwnCluster(env) : startProcess({ env });
}

/** A broker in this process with all services, on a database of its own, whose URL is given for further connections. */
export async function startProcess({
  env = {},
  wrap = (database) => database,
  folders = serviceFolders(),
  on,
  accessLog,
}: Options = {}): Promise<TestServer & { databaseUrl: string }> {
  const { url: databaseUrl, database, drop } = on ?? (await testDatabase());
  const checked = { ...readEnv({ ...TEST_ENV, ...env }), port: 0 };
  const broker = new ServiceBroker(brokerOptions(checked));
  await createServices(broker, folders, {
    env: checked,
    database: wrap(database),
    ...(accessLog && { accessLog }),
  });
  await broker.start();
  const gateway = broker.getLocalService("gateway") as unknown as { server: Server };
  const { port } = gateway.server.address() as AddressInfo;
  const stop = async () => {
    await broker.stop();
    await drop();
  };
  return { base: `http://127.0.0.1:${port}`, publicUrl: checked.publicUrl, database, databaseUrl, stop };
}

async function joinServer({ databaseUrl, ...where }: SharedServer): Promise<TestServer> {
  const database = await openDatabase(databaseUrl, { applicationName: "test", poolMax: 3, waits: PATIENT });
  return { ...where, database, stop: () => database.close() };
}

async function startOwnCluster(env: Record<string, string> = {}): Promise<TestServer> {
  const [nats, { url, database, drop }] = await Promise.all([startNats(), testDatabase()]);
  const cluster = await startCluster({ natsUrl: nats.url, databaseUrl: url, env });
  const stop = async () => {
    await cluster.stop();
    await nats.stop();
    await drop();
  };
  return { base: cluster.base, publicUrl: cluster.publicUrl, database, stop };
}
