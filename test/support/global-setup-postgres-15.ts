import { migrate } from "../../database/migrate/migrate.ts";
import { say } from "../../lab/harness/apt.ts";
import globalSetup from "./global-setup.ts";
import { postgres15, startPostgres } from "./postgres.ts";
import { shareServer } from "./shared-server.ts";
import { environment } from "./test-run.ts";

/**
 * Runs once before the test files that share a server on PostgreSQL 15, the oldest that serves, from Debian and with its own
 * settings: with `jit` on, as most servers have it. Only what makes commits wait for the disk is off.
 */
export default async function globalSetupPostgres15(): Promise<void> {
  await globalSetup();
  const bin = postgres15();
  if (bin === undefined) {
    const reason = "there is no PostgreSQL 15: install the package postgresql-15";
    if (process.env.CI === "true") throw new Error(`The tests on PostgreSQL 15 cannot run: ${reason}.`);
    // Without the address these tests fail, so a run without them names the other projects.
    say(`${reason}, or leave these tests out with --selectProjects slow "over NATS"`);
    return;
  }
  const postgres = await startPostgres({ bin, settings: { fsync: "off", max_connections: "200" } });
  environment.atEnd(postgres.stop);
  environment.setPostgres15(postgres.url("postgres"));
  const template = environment.template();
  await postgres.run(`create database ${template}`);
  await migrate(postgres.url(template));
  const shared = `${template}_shared`;
  await postgres.run(`create database ${shared} template ${template}`);
  await shareServer("PostgreSQL 15", { databaseUrl: postgres.url(shared) });
}
