import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import { findPostmaster, isAlive } from "contact-workspace-postgres/postmaster";
import pg from "pg";
import { migrate } from "../../database/migrate/migrate.ts";
import { findOrInstall, say } from "../../lab/harness/apt.ts";
import { findCitus } from "../../lab/harness/find-citus.ts";
import { setNatsProgram } from "../../lab/harness/nats-server.ts";
import { FOLDER } from "../../lab/harness/postgres.ts";
import { environment, type TestRun } from "./test-run.ts";

/** The program that writes the types of the client, when they are older than the OpenAPI document. */
const CLIENT_TYPES = join(__dirname, "..", "..", "packages", "client", "scripts", "schema.ts");

/** Runs once before all test files: a PostgreSQL with a migrated template, nats-server, Citus, and the types of the client. */
export default async function globalSetup(): Promise<void> {
  // Every project names a setup, and that of the cluster builds on this one.
  if (environment.run()) return;
  // Node takes the types out of each file with WebAssembly, in every process and thread anew, unless it finds what is
  // left of it there. Now and then V8 crashes when many threads with WebAssembly come and go.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "node-compile-cache");
  execFileSync(process.execPath, [CLIENT_TYPES]);
  const run = await openServer();
  // The process is in the name: several runs may share one server.
  const template = `contact_workspace_test_${process.pid}`;
  await recreate(run.serverUrl, template);
  await migrate(Object.assign(new URL(run.serverUrl), { pathname: template }).href);
  environment.set({ ...run, template });
  findNats();
  lookForCitus();
}

async function openServer(): Promise<Pick<TestRun, "serverUrl" | "stop">> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { serverUrl: given, stop: () => Promise.resolve() };
  sweepKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const server = await startEmbedded(folder, { durable: false });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { serverUrl: server.url, stop };
}

/** A run that was killed leaves its server running. */
function sweepKilledRuns(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER))) {
    if (isAlive(Number(name.slice(FOLDER.length).split("-")[0]))) continue;
    try {
      const left = findPostmaster(join(tmpdir(), name, "postgres"));
      if (left) process.kill(left.pid, "SIGQUIT");
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user of the machine.
    }
  }
}

async function recreate(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
}

function findNats(): void {
  const nats = findOrInstall("nats-server", "nats-server");
  setNatsProgram(nats);
  if ("path" in nats) return;
  if (process.env.CI === "true") throw new Error(`The tests of the bus cannot run: ${nats.missing}.`);
  say(`skipping the tests of the bus: ${nats.missing}`);
}

/** An archive that is named in CI has to serve. */
function lookForCitus(): void {
  const citus = findCitus();
  environment.setCitus(citus);
  if ("path" in citus) return;
  if (process.env.CI === "true" && process.env.CITUS_ARCHIVE)
    throw new Error(`The tests on Citus cannot run: ${citus.missing}.`);
  say(`skipping the tests on Citus: ${citus.missing}`);
}
