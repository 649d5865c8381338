import { findCitus } from "./find-citus.ts";
import { makeData, makeNode, type PostgresNode } from "./postgres-node.ts";

/** A Citus cluster on 127.0.0.1: a coordinator, which stores no shards, and workers. */
export interface Citus {
  /** Address of its first database on the coordinator. */
  url: string;
  /** The coordinator first, then the workers in the order in which they were added. */
  nodes: [coordinator: PostgresNode, ...workers: PostgresNode[]];
  /** Starts one more worker and adds it to every database. It has no shards until they are moved there. */
  addWorker(): Promise<PostgresNode>;
  /** Makes a database with the extension on every node; gives its address on the coordinator. */
  newDatabase(name: string): Promise<string>;
  /** Ends all nodes, and removes their data. */
  stop(): Promise<void>;
}

const DATABASE = "contacts";
const HOST = "127.0.0.1";
/** Those of initdb for PostgreSQL 15, which has no locales of its own. */
const LOCALE = ["-E", "UTF8", "--locale=C", "--lc-ctype=C.UTF-8"];
const SETTINGS = {
  shared_preload_libraries: "citus",
  wal_level: "logical",
  max_prepared_transactions: "200",
  max_connections: "300",
  // Citus starts a process of its own for each database.
  max_worker_processes: "64",
  "citus.node_conninfo": "sslmode=prefer",
  "citus.local_hostname": HOST,
  "citus.shard_count": "8",
};

/**
 * Starts one with an empty database.
 * @param options.durable commits wait for the disk
 * @throws Error with the reason when this machine has no Citus
 */
export async function startCitus({ workers = 2, durable = false } = {}): Promise<Citus> {
  const found = findCitus();
  if ("missing" in found) throw new Error(`There is no Citus: ${found.missing}.`);
  const binaries = found.path;
  const started: PostgresNode[] = [];
  const stop = async () => {
    await Promise.all(started.map((node) => node.stop()));
  };
  const startNode = async () => {
    const data = await makeData({ binaries, locale: LOCALE });
    const node = await makeNode(data, { binaries, database: DATABASE, durable, settings: SETTINGS });
    started.push(node);
    await node.start();
    return node;
  };
  try {
    const [coordinator, ...others] = await Promise.all([startNode(), ...Array.from({ length: workers }, startNode)]);
    const cluster = await clusterOf([coordinator, ...others], startNode);
    return { ...cluster, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function clusterOf(nodes: Citus["nodes"], startNode: () => Promise<PostgresNode>): Promise<Omit<Citus, "stop">> {
  const [coordinator] = nodes;
  const databases: string[] = [];
  const newDatabase = async (name: string) => {
    await Promise.all(nodes.map((node) => prepare(node, name)));
    await coordinator.run(`select citus_set_coordinator_host('${HOST}', ${coordinator.port})`, name);
    for (const worker of nodes.slice(1)) await join(coordinator, worker, name);
    databases.push(name);
    return coordinator.urlOf(name);
  };
  const addWorker = async () => {
    const worker = await startNode();
    for (const name of databases) {
      await prepare(worker, name);
      await join(coordinator, worker, name);
    }
    nodes.push(worker);
    return worker;
  };
  return { url: await newDatabase(DATABASE), nodes, addWorker, newDatabase };
}

async function prepare(node: PostgresNode, database: string): Promise<void> {
  await node.run(`create database "${database}"`, "postgres");
  await node.run("create extension citus", database);
}

async function join(coordinator: PostgresNode, worker: PostgresNode, database: string): Promise<void> {
  await coordinator.run(`select citus_add_node('${HOST}', ${worker.port})`, database);
}
