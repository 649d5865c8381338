import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import pg from "pg";
import { migrate } from "../../database/migrate/migrate.ts";
import { environment } from "../support/test-run.ts";

const TEMPLATE = "guides_template";

/**
 * Sends the tests of a file to a PostgreSQL of their own that survives crashes, as the one of a reader does: `doctor`
 * finds fault with the PostgreSQL of the tests, which trades that for speed. Returns what stops it.
 */
export async function useDurableServer(): Promise<() => Promise<void>> {
  // The setup of the next run sweeps folders of this name when their process was killed.
  const folder = mkdtempSync(join(tmpdir(), `contact-workspace-test-${process.pid}-`));
  const { url, stop } = await startEmbedded(folder);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate(Object.assign(new URL(url), { pathname: TEMPLATE }).href);
  const stopAll = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  environment.set({ serverUrl: url, template: TEMPLATE, stop: stopAll });
  return stopAll;
}
