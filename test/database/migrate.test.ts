import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { laterNotice } from "../../cli/start-notices.ts";
import { release } from "../../config/release.ts";
import { isUnavailable } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { WATCH } from "../../database/migrate/migration-lock.ts";
import { migrations, readMigrations } from "../../database/migrations/index.ts";
import { openProxy } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { LAST_MIGRATION, migrateLater } from "../support/later-release.ts";
import { OWN_LOCKS } from "../support/own-locks.ts";

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

/** Something is to be done then, although all migrations are applied. */
const forgetChecksum = () => test.database.knex("migrations").limit(1).where({ id: 1 }).update({ checksum: null });

it("is not held up by the lock mark that a killed migrator leaves behind", async () => {
  await test.database.knex("migrations_lock").update({ is_locked: 1 });
  await forgetChecksum();
  expect(await migrate(test.url)).toEqual([]);
  expect(await test.database.knex("migrations_lock").select("is_locked")).toEqual([{ is_locked: 0 }]);
});

it("refuses a database of another release, and says what to do (docs/guides/database.md#migrations)", async () => {
  const { knex } = test.database;
  const mark = (name: string) => knex("migrations").insert({ name, batch: 9, migration_time: new Date() });
  await mark("9999-later");
  await expect(migrate(test.url)).rejects.toThrow(
    "made by a later release (9999-later). Update this server: the oldest release that may run on it is the one with 9999-later.",
  );
  await mark("0001-ground-floor");
  await expect(migrate(test.url)).rejects.toThrow(/before the first release \(0001-ground-floor\).*Set DATA_DIR/);
  await knex("migrations").where({ batch: 9 }).delete();
  expect(await migrate(test.url)).toEqual([]);
});

/** docs/guides/upgrading.md#going-back */
describe("a database that later releases have migrated", () => {
  const NEXT = { "9001-expands.sql": `-- Runs with: ${LAST_MIGRATION}\nalter table people add column nickname text` };
  let later: TestDatabase;

  beforeEach(async () => {
    later = await testDatabase();
  });
  afterEach(() => later.drop());

  const notesOf = (name: string) =>
    later.database.read("select runs_with, release, checksum is not null as noted from migrations where name = $1", [
      name,
    ]);

  it("keeps which migration a server has to know, and the release that has applied it", async () => {
    await migrateLater(later.url, NEXT);
    expect(await notesOf("9001-expands")).toEqual([{ runs_with: LAST_MIGRATION, release: release(), noted: true }]);
  });

  it("is taken when the migrations say so, and nothing is migrated", async () => {
    await migrateLater(later.url, { ...NEXT, "9002-expands.sql": `-- Runs with: ${migrations[2]?.name}\nselect 1` });
    expect(await migrate(later.url)).toEqual([]);
    expect(await laterNotice(later.database)).toBe(
      `A later release has migrated the database (9001-expands of ${release()}, 9002-expands of ${release()}). This release, ${release()}, may run with that: it goes on, and migrates nothing.`,
    );
    expect(await laterNotice(test.database)).toBeNull();
  });

  it.each([
    ["says nothing", "select 1", "9002-other"],
    ["runs with itself only", "-- Runs with: 9002-other\nselect 1", "9002-other"],
    ["runs with a migration that this release does not know", "-- Runs with: 9001-expands\nselect 1", "9001-expands"],
  ])("is refused when one %s, with the oldest that may run", async (_what, text, oldest) => {
    await migrateLater(later.url, { ...NEXT, "9002-other.sql": text });
    await expect(migrate(later.url)).rejects.toThrow(
      `the oldest release that may run on it is the one with ${oldest}.`,
    );
  });

  it("is refused when it lacks a migration of this release, which would come between the others", async () => {
    await migrateLater(later.url, NEXT);
    await later.database.read("delete from migrations where name = $1", [LAST_MIGRATION]);
    await expect(migrate(later.url)).rejects.toThrow(/made by a later release \(9001-expands of .*to that release/);
  });

  it("is refused when one of the migrations that both know was edited", async () => {
    await migrateLater(later.url, NEXT);
    await later.database.read("update migrations set checksum = 'x' where name = $1", [LAST_MIGRATION]);
    await expect(migrate(later.url)).rejects.toThrow(/a released migration was edited/);
  });

  it("is migrated on by a later release after this one has run on it", async () => {
    await migrateLater(later.url, NEXT);
    expect(await migrate(later.url)).toEqual([]);
    await migrateLater(later.url, { ...NEXT, "9002-goes-on.sql": "-- Runs with: 9001-expands\nselect 1" });
    expect(await notesOf("9002-goes-on")).toEqual([{ runs_with: "9001-expands", release: release(), noted: true }]);
  });
});

it("waits for a migrator that is at work, and goes on when that one dies", async () => {
  await forgetChecksum();
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

it("runs SQL as it is written, chapters and files in the order of their names", async () => {
  const folder = testFolder();
  for (const name of ["0001-first", "0003-third"]) mkdirSync(join(folder.path, name));
  folder.write("0003-third/01-only.sql", "insert into steps values ('third')");
  folder.write("0002-second.sql", "-- Is it there?\ninsert into steps select 'second' where '{\"a\":1}'::jsonb ? 'a'");
  folder.write("0001-first/02-b.sql", "insert into steps values ('first'); insert into steps values ('of two')");
  folder.write("0001-first/01-a.sql", "create table steps (step text)");
  folder.write("schema.sql", "drop table steps");
  const read = readMigrations(folder.path);
  expect(read.map(({ name }) => name)).toEqual(["0001-first", "0002-second", "0003-third"]);
  for (const { up } of read) await up(test.database.knex);
  expect(await test.database.knex("steps").pluck("step")).toEqual(["first", "of two", "second", "third"]);
  folder.remove();
});

it("knows every file of its folder", () => {
  const known = migrations.flatMap(({ name }) => [name, `${name}.sql`]);
  const entries = readdirSync(join(import.meta.dirname, "..", "..", "database", "migrations"));
  expect(entries.filter((entry) => !known.includes(entry))).toEqual(["checksums.json", "index.ts", "schema.sql"]);
});

it("ends when its connections fall silent in the middle of a migration, and leaves the lock to the next", async () => {
  const proxy = await openProxy(test.url);
  const watch = { everyMs: 50, silenceMs: 500, lockMs: 1000 };
  const failed = await test.database.transaction(async (trx) => {
    await trx.raw("lock table migrations in access exclusive mode");
    const attempt = migrate(proxy.url, { watch }).catch((error: unknown) => error);
    await until("it waits for the table", async () => {
      const rows = await test.database.read(
        `select from ${OWN_LOCKS} where relation = 'migrations'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    proxy.freeze();
    return attempt;
  });
  expect(isUnavailable(failed)).toBe(true);
  expect(await migrate(proxy.url, { watch })).toEqual([]);
  await proxy.stop();
});

it("finds out that its connection has fallen silent while it waits for another migrator", async () => {
  await forgetChecksum();
  const proxy = await openProxy(test.url);
  const other = new pg.Client(test.url);
  await other.connect();
  await other.query("select pg_advisory_lock(7205759403)");
  const waiting = migrate(proxy.url, { watch: { ...WATCH, silenceMs: 500 } }).catch((error: unknown) => error);
  await until("it waits", async () => {
    const rows = await test.database.read(
      "select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock%'",
    );
    return rows.length > 0;
  });
  proxy.freeze();
  expect(isUnavailable(await waiting)).toBe(true);
  await other.end();
  await proxy.stop();
  // A working migration asks, and is asked, well before either side gives up.
  expect(WATCH.everyMs + WATCH.silenceMs).toBeLessThan(12_000);
  expect(WATCH.lockMs).toBeGreaterThan(WATCH.everyMs + WATCH.silenceMs);
});
