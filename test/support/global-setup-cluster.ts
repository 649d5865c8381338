import pg from "pg";
import { migrate } from "../../database/migrate/migrate.ts";
import { say } from "../../lab/harness/apt.ts";
import { natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import globalSetup from "./global-setup.ts";
import { postgres15, startPostgres } from "./postgres.ts";
import { shareServer } from "./shared-server.ts";
import { environment } from "./test-run.ts";

/**
 * Runs once before the test files that share a process per service folder, over NATS and on PostgreSQL 15, the oldest that
 * serves: from Debian and with its own settings, so with `jit` on, as most servers have it. Only what makes commits wait for the
 * disk is off.
 */
export default async function globalSetupCluster(): Promise<void> {
  await globalSetup();
  // describeServer skips the tests and says why.
  if (!("path" in natsProgram())) return;
  const nats = await startNats();
  environment.atEnd(nats.stop);
  await startOldest();
  await shareServer("over NATS", { natsUrl: nats.url, databaseUrl: await sharedDatabase() });
}

/** Starts PostgreSQL 15 for the files of this project. Where there is none they take the embedded one, but never in CI. */
async function startOldest(): Promise<void> {
  const bin = postgres15();
  if (bin === undefined) {
    const reason = "there is no PostgreSQL 15: install the package postgresql-15";
    if (process.env.CI === "true") throw new Error(`The tests over NATS cannot run: ${reason}.`);
    return say(`${reason}. The tests over NATS take the embedded one`);
  }
  const postgres = await startPostgres({ bin, settings: { fsync: "off", max_connections: "400" } });
  environment.atEnd(postgres.stop);
  environment.setOldest(postgres.url("postgres"));
  await postgres.run(`create database ${environment.template()}`);
  await migrate(postgres.url(environment.template()));
}

async function sharedDatabase(): Promise<string> {
  const name = `${environment.template()}_shared`;
  const client = new pg.Client(environment.serverUrl("over NATS"));
  await client.connect();
  await client.query(`create database ${name} template ${environment.template()}`);
  await client.end();
  return Object.assign(new URL(environment.serverUrl("over NATS")), { pathname: name }).href;
}
