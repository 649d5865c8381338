import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type Database, isUnavailable, openDatabase } from "../../database/database.ts";
import { inMigration, migrate, migrateIn, queryOf } from "../../database/migrate/migrate.ts";
import { migrations } from "../../database/migrations/index.ts";
import type { Query } from "../../database/query.ts";
import { environment } from "./test-run.ts";

export interface TestDatabase {
  url: string;
  database: Database;
  /** Closes the connections and removes the database. */
  drop(): Promise<void>;
}

/** The other worker copies the template at this moment. */
const OBJECT_IN_USE = "55006";
const RETRY_MS = 50;

export { PATIENT } from "../../lab/harness/waits.ts";

/** On a busy machine opening may take longer than a request waits for a connection; so often it is tried. */
const OPENINGS_MAX = 5;

let count = 0;

/**
 * A database of one's own with every migration applied: a copy of the template. Call it in beforeAll, and `drop` in
 * afterAll.
 */
export async function testDatabase(serverUrl = environment.serverUrl()): Promise<TestDatabase> {
  count += 1;
  const name = `${environment.template()}_${process.pid}_${count}_${randomBytes(3).toString("hex")}`;
  await onServer(serverUrl, (client) => copyTemplate(client, name));
  return opened(serverUrl, name);
}

/**
 * A database with the migrations before one of them, to which a test may add rows, and then the others. Call it in
 * beforeAll, and `drop` in afterAll.
 * @param fill writes rows, in the transaction of the first migrations
 */
export async function databaseFrom(before: string, fill: (query: Query) => Promise<unknown>): Promise<TestDatabase> {
  count += 1;
  const serverUrl = environment.serverUrl();
  const name = `${environment.template()}_${process.pid}_${count}_${randomBytes(3).toString("hex")}`;
  await onServer(serverUrl, (client) => client.query(`create database ${name}`));
  const url = Object.assign(new URL(serverUrl), { pathname: name }).href;
  await inMigration(url, new AbortController().signal, async (trx) => {
    const first = migrations.findIndex((migration) => migration.name === before);
    if (first < 0) throw new Error(`There is no migration ${before}`);
    await migrateIn(trx, migrations.slice(0, first));
    await fill(queryOf(trx));
  });
  await migrate(url);
  return opened(serverUrl, name);
}

/** Opens a database that is there. */
async function opened(serverUrl: string, name: string): Promise<TestDatabase> {
  const url = Object.assign(new URL(serverUrl), { pathname: name }).href;
  const database = await openPatiently(url, name);
  const drop = async () => {
    await database.close();
    await onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { url, database, drop };
}

async function openPatiently(url: string, applicationName: string): Promise<Database> {
  for (let opening = 1; ; opening += 1) {
    try {
      return await openDatabase(url, { applicationName });
    } catch (error) {
      if (!isUnavailable(error) || opening === OPENINGS_MAX) throw error;
    }
  }
}

async function copyTemplate(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    try {
      await client.query(`create database ${name} template ${environment.template()}`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== OBJECT_IN_USE) throw error;
      await pause(RETRY_MS);
    }
  }
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
