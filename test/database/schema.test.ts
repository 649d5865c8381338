import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import type { Query } from "../../database/query.ts";
import { dumpSchema } from "../../database/schema/dump.ts";
import { makePeriods } from "../../engine/events/periods.ts";
import { DIVIDED, makePeriod } from "../../engine/periods/periods.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

const FILE = join(import.meta.dirname, "..", "..", "database", "migrations", "schema.sql");

/** What the database knows of our tables, asked in another way than the dump does. */
const FACTS = [
  `select table_name, ordinal_position, column_name, data_type, udt_name, datetime_precision, is_nullable, column_default,
     is_generated, is_identity, collation_name from information_schema.columns where table_schema = 'public'`,
  "select relname, relkind, relpersistence, reloptions from pg_class where relnamespace = 'public'::regnamespace",
  `select relname, attname, attstorage from pg_attribute join pg_class c on c.oid = attrelid
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0`,
  "select tablename, indexname, indexdef from pg_indexes",
  "select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace",
  "select proname, pg_get_function_arguments(oid), prosrc, proconfig, provolatile from pg_proc where pronamespace = 'public'::regnamespace",
  "select event_object_table, trigger_name, event_manipulation, action_statement, action_orientation, action_timing from information_schema.triggers",
  "select stxname, stxrelid::regclass, stxkind, stxkeys, pg_get_statisticsobjdef_expressions(oid) from pg_statistic_ext",
  "select extname, extversion from pg_extension",
];

let test: TestDatabase;
let migrated: pg.Client;
let loaded: pg.Client;
let loadedName: string;

beforeAll(async () => {
  test = await testDatabase();
  const url = new URL(test.url);
  loadedName = `${url.pathname.slice(1)}_loaded`;
  await test.database.knex.raw(`create database ${loadedName}`);
  [migrated, loaded] = await Promise.all([
    connect(test.url),
    connect(Object.assign(url, { pathname: loadedName }).href),
  ]);
});

afterAll(async () => {
  await Promise.all([migrated.end(), loaded.end()]);
  await test.database.knex.raw(`drop database ${loadedName} with (force)`);
  await test.drop();
});

it("database/migrations/schema.sql is what the migrations make: run npm run schema", async () => {
  expect(readFileSync(FILE, "utf8")).toBe(await dumpSchema(queryOf(migrated)));
});

it("stays the same file as periods begin", async () => {
  const before = await dumpSchema(queryOf(migrated));
  await migrated.query("begin");
  for (const divided of DIVIDED) await makePeriod(queryOf(migrated), divided, Date.now());
  await migrated.query("commit");
  const partitions = "select from pg_inherits where inhparent = 'change_log'::regclass";
  const { rowCount: count } = await migrated.query(partitions);
  await makePeriods(queryOf(migrated), 9);
  expect((await migrated.query(partitions)).rowCount).toBe((count ?? 0) + 6);
  expect(await dumpSchema(queryOf(migrated))).toBe(before);
});

it("leaves nothing out of the file: it makes the same database", async () => {
  await loaded.query(readFileSync(FILE, "utf8"));
  expect(await dumpSchema(queryOf(loaded))).toBe(await dumpSchema(queryOf(migrated)));
  for (const sql of FACTS) {
    const facts = await factsOf(migrated, sql);
    expect(facts.length).toBeGreaterThan(0);
    expect(await factsOf(loaded, sql)).toEqual(facts);
  }
});

it("refuses to write a file without what it does not know", async () => {
  await loaded.query("create view names as select 1 as name");
  await expect(dumpSchema(queryOf(loaded))).rejects.toThrow("cannot write the relation names");
});

function queryOf(client: pg.Client): Query {
  return async (sql, values) => (await client.query(sql, [...values])).rows;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** One line for each row, sorted; without the tables of Knex's books, and without partitions and their indexes. */
async function factsOf(client: pg.Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ fact: string }>(`select to_jsonb(facts)::text as fact from (${sql}) facts`);
  const partitions = await client.query<{ name: string }>(
    `select relname as name from pg_class where relispartition
     union select i.relname from pg_index join pg_class i on i.oid = indexrelid join pg_class t on t.oid = indrelid where t.relispartition`,
  );
  return (
    rows
      // PostgreSQL 18 names the constraint of a column otherwise when another table has one of its name.
      .map(({ fact }) => fact.replace(/(?<=_not_null)\d+(?=")/, ""))
      .filter((fact) => !/"migrations(_\w+)?"/.test(fact))
      .filter((fact) => !partitions.rows.some(({ name }) => fact.includes(`"${name}"`)))
      .sort()
  );
}
