import { randomBytes } from "node:crypto";
import pg from "pg";
import { grantToRuntime } from "../../database/migrate/runtime-role.ts";
import type { Query } from "../../database/query.ts";

/** A role with the rights of a running server, which owns nothing. */
export interface RuntimeRole {
  /** The address of the database for this role. */
  url: string;
  drop(): Promise<void>;
}

/** Makes a role for servers on a migrated database. docs/guides/deploying.md#two-roles */
export async function runtimeRole(databaseUrl: string): Promise<RuntimeRole> {
  const name = `runtime_${randomBytes(4).toString("hex")}`;
  await withQuery(databaseUrl, async (query) => {
    await query(`create role ${name} login password '${name}'`, []);
    await grantToRuntime(query, name);
  });
  const drop = () =>
    withQuery(databaseUrl, async (query) => {
      await query(`drop owned by ${name}`, []);
      await query(`drop role ${name}`, []);
    });
  return { url: Object.assign(new URL(databaseUrl), { username: name, password: name }).href, drop };
}

async function withQuery(url: string, work: (query: Query) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(async (sql, values) => (await client.query(sql, [...values])).rows);
  } finally {
    await client.end();
  }
}
