import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { DAY_MS } from "../../base/values/dates.ts";
import { newUuid } from "../../base/values/ids.ts";
import { type Database, openDatabase, run } from "../../database/database.ts";
import { migrations } from "../../database/migrations/index.ts";
import { SQLSTATE } from "../../database/sqlstates.ts";
import { maintenance, ownsTables } from "../../engine/events/maintenance.ts";
import { beginPeriod, DELIVERIES, makePeriod } from "../../engine/periods/periods.ts";
import { command } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { type ServerProcess, spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { testFolder } from "../support/folder.ts";
import { type OwnPostgres, startPostgres } from "../support/postgres.ts";

/** Password of the roles in the file. */
const PASSWORD = "local";
const TTL_S = 86_400;
const folder = testFolder();

let postgres: OwnPostgres;
let owner: Database;
let runtime: Database;
let server: ServerProcess;

const urlFor = (role: string) => postgres.url("contacts", role, PASSWORD);
const migrateFor = (role: string) => command(["migrate", "--runtime-role", role], { DATABASE_URL: urlFor("contacts") });

beforeAll(async () => {
  postgres = await startPostgres();
  for (const sql of [
    ...readFileSync(join(import.meta.dirname, "../../k8s/overlays/local/roles.sql"), "utf8").split(/;\n/),
    `create role creator login password '${PASSWORD}'`,
    `create role deputy login password '${PASSWORD}' in role contacts`,
  ])
    await postgres.run(sql);
  await postgres.run("grant create on schema public to creator", "contacts");
});

afterAll(async () => {
  await server?.stop();
  await runtime?.close();
  await owner?.close();
  await postgres?.stop();
  folder.remove();
});

/** SQLSTATE with which PostgreSQL refuses a statement of the role; undefined when it runs. */
async function refusal(sql: string): Promise<string | undefined> {
  const client = new pg.Client(urlFor("contacts_runtime"));
  await client.connect();
  try {
    await client.query(sql);
    return undefined;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  } finally {
    await client.end();
  }
}

// The tests of this file build on each other.
describe("A server whose role owns no tables (docs/guides/deploying.md#two-roles)", () => {
  it("waits for migrations, says so, and serves when another process has applied them", async () => {
    const variables = {
      DATABASE_URL: urlFor("contacts_runtime"),
      MIGRATIONS: "wait",
      PORT: String(await freePort()),
      LOG_LEVEL: "info",
    };
    server = spawnServer("the server", variables);
    await until("it waits", async () => server.said().includes("Waiting for PostgreSQL"), 60_000);
    expect(server.said()).toContain(
      'The database lacks migrations, the next is 0001-tables, and MIGRATIONS is wait: run \\"migrate\\" with the role that owns the tables.',
    );
    const { code, out, err } = await migrateFor("contacts_runtime");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.trim().split("\n")).toEqual(migrations.map(({ name }) => name));
    expect(await server.ready).toMatch(/^ready /);
  });

  it("may read and write rows, and neither make, change nor drop tables, nor write the list of migrations", async () => {
    const statements = [
      "create table mine (id int)",
      "alter table people add column mine int",
      "drop table deliveries",
      "truncate people",
      "create schema mine",
      "delete from migrations",
      "update migrations set checksum = 'x'",
    ];
    const refusals = await Promise.all(statements.map(refusal));
    expect(refusals).toEqual(statements.map(() => SQLSTATE.insufficientPrivilege));
    expect(await refusal("select name from migrations")).toBeUndefined();
    expect(await refusal("delete from people")).toBeUndefined();
  });

  it("finds a database that is up to date, and runs commands that change only rows", async () => {
    const variables = { DATABASE_URL: urlFor("contacts_runtime"), MIGRATIONS: "wait" };
    const file = join(folder.path, "backup");
    const codes = [];
    for (const words of [["workspaces", "list"], ["doctor"], ["backup", "--output", file]])
      codes.push((await command(words, variables)).code);
    expect(codes).toEqual([0, 0, 0]);
    expect(await migrateFor("contacts_runtime")).toMatchObject({ code: 0, out: "The database is up to date.\n" });
  });

  it("leaves partitions to the owner, whose new ones it may use", async () => {
    owner = await openDatabase(urlFor("contacts"));
    runtime = await openDatabase(urlFor("contacts_runtime"));
    expect([await ownsTables(owner.read), await ownsTables(runtime.read)]).toEqual([true, false]);
    const deliver = () =>
      runtime.read(
        `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
         values ($1, $1, $1, $1, 'webhook.test', $1, 'succeeded', now())`,
        [newUuid()],
      );
    await deliver();
    const always = { ...DELIVERIES, periodMs: 0 };
    await expect(beginPeriod(runtime, always)).rejects.toMatchObject({ code: SQLSTATE.insufficientPrivilege });
    expect(await beginPeriod(owner, always)).toBe(true);
    await deliver();
    const [{ name } = { name: "" }] = await runtime.read<{ name: string }>(
      "select max(tableoid::regclass::text) as name from deliveries where period = pg_sequence_last_value('deliveries_period')",
    );
    expect(name).toMatch(/^deliveries_\d+$/);
    expect(await refusal(`select from ${name}`)).toBeUndefined();
    expect(await refusal(`drop table ${name}`)).toBe(SQLSTATE.insufficientPrivilege);
  });

  it("warns by the refusal of PostgreSQL when the owner is late with old partitions, which `maintain` drops", async () => {
    const old = [60, 50].map((days) => Date.now() - days * DAY_MS);
    for (const number of old)
      await owner.transaction((trx) => makePeriod((...statement) => run(trx, ...statement), DELIVERIES, number));
    const { deliveries } = maintenance(runtime, { idempotencyTtlS: TTL_S, historyDays: 90, trashDays: 30 });
    expect(await deliveries?.(90 * DAY_MS)).toEqual([]);
    await expect(deliveries?.(DAY_MS)).rejects.toMatchObject({ code: SQLSTATE.insufficientPrivilege });
    const maintain = () => command(["maintain", "--json"], { DATABASE_URL: urlFor("contacts") });
    expect(await maintain()).toMatchObject({ code: 0, out: `{"dropped":["deliveries_${old[0]}"]}\n` });
    expect(await maintain()).toMatchObject({ code: 0, out: '{"dropped":[]}\n' });
    expect(await deliveries?.(DAY_MS)).toEqual([]);
  });

  it("is refused more rights than it should have", async () => {
    const said = async (role: string) => {
      const { code, err } = await migrateFor(role);
      return { code, err };
    };
    const refused = (err: RegExp) => ({ code: 1, err: expect.stringMatching(err) });
    expect(await said("nobody")).toEqual(refused(/^There is no role "nobody": let a superuser run: create role/));
    expect(await said("root")).toEqual(refused(/^The role root is a superuser/));
    expect(await said("contacts")).toEqual(refused(/which owns the tables: take another role/));
    expect(await said("deputy")).toEqual(refused(/^The role deputy is contacts, or a member of it/));
    expect(await said("creator")).toEqual(
      refused(/^The role creator may create tables in the schema public\. .*revoke create on schema public/),
    );
  });
});
