import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import { migrate } from "../../database/migrate.ts";
import { migrations } from "../../migrations/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let test: TestDatabase;
let emptyUrl: string;
let emptyName: string;

beforeAll(async () => {
  test = await testDatabase();
  const url = new URL(test.url);
  emptyName = `${url.pathname.slice(1)}_empty`;
  await test.database.knex.raw(`create database ${emptyName}`);
  emptyUrl = Object.assign(url, { pathname: emptyName }).href;
});

afterAll(async () => {
  await test.database.knex.raw(`drop database ${emptyName} with (force)`);
  await test.drop();
});

it("migrates an empty database once when several processes start together", async () => {
  const applied = await Promise.all([migrate(emptyUrl), migrate(emptyUrl), migrate(emptyUrl)]);
  const names = migrations.map((migration) => migration.name);
  expect(applied.flat()).toEqual(names);
  expect(await migrate(emptyUrl)).toEqual([]);
});

it("is not held up by the lock mark that a killed migrator leaves behind", async () => {
  await test.database.knex("migrations_lock").update({ is_locked: 1 });
  expect(await migrate(test.url)).toEqual([]);
  expect(await test.database.knex("migrations_lock").select("is_locked")).toEqual([{ is_locked: 0 }]);
});

it("waits for a migrator that is at work, and goes on when that one dies", async () => {
  const other = new pg.Client(test.url);
  other.on("error", () => undefined);
  await other.connect();
  const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid, pg_advisory_lock(7205759403)");
  let done = false;
  const waiting = migrate(test.url).finally(() => {
    done = true;
  });
  await test.database.read("select pg_sleep(0.5)");
  expect(done).toBe(false);
  await test.database.read("select pg_terminate_backend($1)", [rows[0]?.pid]);
  expect(await waiting).toEqual([]);
});
