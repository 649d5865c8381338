import { migrate } from "../../database/migrate/migrate.ts";
import { say } from "../../lab/harness/apt.ts";
import { natsProgram, startNats } from "../../lab/harness/nats-server.ts";
import { testDatabase } from "./database.ts";
import globalSetup from "./global-setup.ts";
import { postgres15, startPostgres } from "./postgres.ts";
import { shareServer } from "./shared-server.ts";
import { environment } from "./test-run.ts";

/**
 * Runs once before the test files that share a cluster: one process for each service folder, NATS, and PostgreSQL 15,
 * the oldest release that the server supports. PostgreSQL comes from Debian and keeps Debian's settings (`jit` is on,
 * as on most servers), except that commits do not wait for the disk.
 */
export default async function globalSetupCluster(): Promise<void> {
  await globalSetup();
  // describeServer skips the tests and says why.
  if (!("path" in natsProgram())) return;
  const nats = await startNats();
  environment.atEnd(nats.stop);
  await startOldest();
  const { url: databaseUrl, database } = await testDatabase(environment.serverUrl("over NATS"));
  await database.close();
  await shareServer("over NATS", { natsUrl: nats.url, databaseUrl });
}

/** Starts PostgreSQL 15. If it is not installed, the tests use the embedded PostgreSQL; in CI that is an error. */
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
