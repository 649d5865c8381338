import pg from "pg";
import type { Env } from "../../config/env.ts";
import type { Query } from "../../lib/catalog.ts";
import { endConnection } from "../../lib/database-connection.ts";
import { withDatabase } from "../database-url.ts";
import { examineDefinitions, examineNames } from "./data.ts";
import { examineDisk, examineDurability, examineEncoding, examineMigrations, examineVersion } from "./server.ts";
import { examineValues } from "./values.ts";

export interface Check {
  name: string;
  ok: boolean;
  /** What was found; of a failed check also what to do. */
  message: string;
}

/** What a check finds. Throwing fails the check too. */
export type Finding = Omit<Check, "name">;
export type Examine = (query: Query, env: Env) => Promise<Finding>;

const CONNECT_MS = 5_000;

/** In the order in which they are told. */
const CHECKS: [name: string, examine: Examine][] = [
  ["database", examineVersion],
  ["migrations", examineMigrations],
  ["durability", examineDurability],
  ["encoding", examineEncoding],
  ["disk", examineDisk],
  ["definitions", examineDefinitions],
  ["values", examineValues],
  ["company names", examineNames],
];

/** Runs all checks. A database that cannot be reached leaves the first alone, failed. */
export async function examine(env: Env): Promise<Check[]> {
  try {
    return await withDatabase(env, (url) => examineAll(url, env));
  } catch (error) {
    const where = env.databaseUrl === undefined ? `in ${env.dataDir}` : "of DATABASE_URL";
    return [{ name: "database", ok: false, message: `The database ${where} does not answer: ${firstLine(error)}` }];
  }
}

async function examineAll(url: string, env: Env): Promise<Check[]> {
  // A connection of its own: comparing all values of a large database takes longer than a request may.
  const client = new pg.Client({
    connectionString: url,
    application_name: "contact-workspace doctor",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  client.on("error", () => undefined);
  await client.connect();
  const query: Query = async (sql, values) => (await client.query(sql, values)).rows;
  try {
    const checks: Check[] = [];
    for (const [name, judge] of CHECKS) {
      const failed = (error: unknown): Finding => ({ ok: false, message: firstLine(error) });
      checks.push({ name, ...(await judge(query, env).catch(failed)) });
    }
    return checks;
  } finally {
    await endConnection(client);
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.split("\n")[0] ?? "";
}
