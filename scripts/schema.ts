// Writes database/migrations/schema.sql from a database that the migrations have made. test/database/schema.test.ts
// compares the two.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "contact-workspace-postgres";
import pg from "pg";
import { migrate } from "../database/migrate/migrate.ts";
import { dumpSchema } from "../database/schema/dump.ts";
import { readOptions } from "./options.ts";

readOptions("npm run schema", {});

const FILE = join(import.meta.dirname, "..", "database", "migrations", "schema.sql");

const folder = mkdtempSync(join(tmpdir(), "contact-workspace-schema-"));
const server = await startEmbedded(folder, { durable: false });
try {
  await migrate(server.url);
  const client = new pg.Client(server.url);
  await client.connect();
  const text = await dumpSchema(async (sql) => (await client.query(sql)).rows);
  await client.end();
  writeFileSync(FILE, text);
  console.log(`database/migrations/schema.sql: ${text.split("\n").length - 1} lines`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
