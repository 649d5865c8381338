import pg from "pg";
import { environment } from "./test-run.ts";

/** Runs once after all test files: removes the template and stops the server, unless it was given. */
export default async function globalTeardown(): Promise<void> {
  const run = await environment.takeRun();
  if (!run) return;
  const client = new pg.Client(run.serverUrl);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [run.template],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
  await run.stop();
}
