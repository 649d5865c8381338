import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../../database/embedded.ts";
import { migrate } from "../../database/migrate.ts";
import { findOrInstall, say } from "./apt.ts";
import { environment, type TestRun } from "./test-run.ts";

const FOLDER = "contact-workspace-test-";

/** Runs once before all test files: a PostgreSQL with a migrated template database, and the path of nats-server. */
export default async function globalSetup(): Promise<void> {
  const run = await openServer();
  // The process is in the name: several runs may share one server.
  const template = `contact_workspace_test_${process.pid}`;
  await recreate(run.serverUrl, template);
  await migrate(Object.assign(new URL(run.serverUrl), { pathname: template }).href);
  environment.set({ ...run, template });
  findNats();
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
    if (isRunning(Number(name.slice(FOLDER.length).split("-")[0]))) continue;
    try {
      const [pid] = readFileSync(join(tmpdir(), name, "postgres", "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGQUIT");
    } catch {
      // It had stopped, or belongs to somebody else.
    }
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Likewise.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
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
  if ("path" in nats) {
    environment.setNats(nats);
    return;
  }
  if (process.env.CI === "true") throw new Error(`The tests of the bus cannot run: ${nats.missing}.`);
  say(`skipping the tests of the bus: ${nats.missing}`);
  environment.setNats(nats);
}
