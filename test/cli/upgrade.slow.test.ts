import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import knex, { type Knex } from "knex";
import { migrate, migrateIn } from "../../database/migrate/migrate.ts";
import { migrations } from "../../database/migrations/index.ts";
import { command } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { adminOf } from "../support/admin.ts";
import { type Client, client } from "../support/client.ts";
import { readEvents } from "../support/event-reader.ts";
import { testFolder } from "../support/folder.ts";
import { type OwnPostgres, startPostgres } from "../support/postgres.ts";
import type { TestServer } from "../support/server.ts";

/** docs/guides/upgrading.md */
jest.setTimeout(180_000);

const RELEASES = join(import.meta.dirname, "..", "releases");
const folder = testFolder();
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  folder.remove();
});

/** A server on a database, and its first workspace. */
interface Served {
  server: TestServer;
  key: string;
  api: Client;
}

/** Serves a database while somebody asks. */
async function whileServed(
  variables: Record<string, string>,
  ask: (served: Served) => Promise<unknown>,
): Promise<void> {
  const all = {
    PORT: String(await freePort()),
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    DATABASE_URL: "",
    ...variables,
  };
  const { workspaces } = JSON.parse((await command(["workspaces", "list", "--json"], all)).out);
  const { users } = JSON.parse(
    (await command(["users", "list", "--workspace", workspaces[0].slug, "--json"], all)).out,
  );
  const words = ["keys", "create", "--workspace", workspaces[0].slug, "--user", users[0].email];
  const key = (await command(words, all)).out.trim();
  const server = spawnServer("an upgrade", all);
  await server.ready;
  const where = { base: `http://127.0.0.1:${all.PORT}`, publicUrl: `http://localhost:${all.PORT}` } as TestServer;
  try {
    await ask({ server: where, key, api: client(where, key) });
  } finally {
    await server.end("SIGTERM");
  }
}

/** Looks at a database by the API, as a client would. */
const serves = (variables: Record<string, string>) => whileServed(variables, looksSound);

async function looksSound({ api }: Served): Promise<void> {
  for (const path of ["people", "companies", "notes", "tasks", "interactions", "webhooks", "events", "groups"]) {
    const { status, items } = await api.get(
      `/v1/${path}${path === "interactions" ? `?entity.id=${await firstPerson()}` : ""}`,
    );
    expect({ path, status, some: items.length > 0 }).toEqual({ path, status: 200, some: true });
  }
  const [person] = (await api.get("/v1/people")).items;
  expect((await api.patch(`/v1/people/${person?.id}`, { jobTitle: "Upgraded" })).data).toMatchObject({
    jobTitle: "Upgraded",
  });

  async function firstPerson(): Promise<string> {
    return (await api.get("/v1/people")).items[0]?.id ?? "";
  }
}

/** Looks at what doctor has printed as JSON. */
function expectSound(out: string): void {
  const { checks }: { checks: { name: string; ok: boolean }[] } = JSON.parse(out);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
}

async function isSound(variables: Record<string, string>): Promise<void> {
  expectSound((await command(["doctor", "--json"], variables)).out);
}

describe.each(readdirSync(RELEASES))("the data of release %s", (file) => {
  it("are restored, upgraded and served, and doctor finds nothing", async () => {
    const variables = { DATA_DIR: join(folder.path, file), DATABASE_URL: "" };
    const { code, err } = await command(["restore", join(RELEASES, file)], variables);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await serves(variables);
    await isSound(variables);
  });
});

it("the feed and the stream go on behind cursors that release 0.1.0 has given out (docs/guides/event-feed.md)", async () => {
  // Behind the fourth of ten events.
  const cursor = "CPG8cSMmDvRaagDx7_OZjeKTgaECP_T5IYgGRN8GVa-ZM9OjUdL57Fz-oVOj7piwb7Yp8u0YXk9fgPl8";
  const streamed = "NR1ADO5a4IeB9heOuAF0Q-t8rhKYJtuv_PbD1rePGI_Xt9A22puz0hLCNo7f5un0mtIxU4WI1cbAVCCs";
  const variables = { DATA_DIR: join(folder.path, "cursors"), DATABASE_URL: "" };
  expect(await command(["restore", join(RELEASES, "0.1.0.zip")], variables)).toMatchObject({ code: 0 });
  await whileServed(variables, async ({ api, server, key }) => {
    await api.patch(`/v1/people/${(await api.get("/v1/people")).items[0]?.id}`, { jobTitle: "Upgraded" });
    const all = (await api.get("/v1/events")).items.map(({ id }) => id);
    expect(all).toHaveLength(11);
    const rest = await api.get(`/v1/events?cursor=${cursor}`);
    expect(rest.items.map(({ id }) => id)).toEqual(all.slice(4));
    const reader = await readEvents(server, key, "", { "Last-Event-ID": streamed });
    await until("the stream has told the rest", () => reader.events().length === 7);
    expect(reader.events().map(({ told }) => told.id)).toEqual(all.slice(4));
    reader.close();
  });
});

it("a key that release 0.1.0 has made in the table opens its secrets, encrypts on, and gives way to ENCRYPTION_KEYS", async () => {
  await postgres.run("create database with_key");
  const variables = { DATABASE_URL: postgres.url("with_key") };
  const statusOf = async (words: string, env: Record<string, string>) =>
    JSON.parse((await command(["encryption", words, "--json"], env)).out);
  expect(await command(["restore", join(RELEASES, "0.1.0.zip")], variables)).toMatchObject({ code: 0, err: "" });
  await serves(variables);
  await isSound(variables);
  const [{ slug }] = JSON.parse((await command(["workspaces", "list", "--json"], variables)).out).workspaces;
  const { webhooks } = JSON.parse((await command(["webhooks", "list", "--workspace", slug, "--json"], variables)).out);
  expect(await command(["webhooks", "rotate", webhooks[0].id], variables)).toMatchObject({ code: 0 });
  const inTable = { id: "2fb3e65018184d04", place: "database" };
  const before = { keys: [{ ...inTable, encrypts: true, secrets: webhooks.length + 1 }], plain: 0 };
  expect(await statusOf("status", variables)).toEqual(before);
  const own = { ...variables, ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString("base64") };
  expect(await statusOf("rotate", own)).toMatchObject({
    webhooks: webhooks.length,
    keys: [
      { place: "ENCRYPTION_KEYS", encrypts: true, secrets: webhooks.length + 1 },
      { ...inTable, encrypts: false, secrets: 0 },
    ],
  });
  await isSound(own);
});

describe("a database of another state", () => {
  const [first] = migrations;
  let count = 0;

  async function database(work: (trx: Knex.Transaction) => Promise<unknown>): Promise<string> {
    count += 1;
    await postgres.run(`create database state_${count}`);
    const url = postgres.url(`state_${count}`);
    const db = knex({ client: "pg", connection: url });
    await db.transaction(work);
    await db.destroy();
    return url;
  }

  /** A workspace with a user, as they could be stored since the first release. */
  const insertWorkspace = (trx: Knex.Transaction, number: number) =>
    trx.raw(
      `with workspace as (
         insert into workspaces (id, slug, name, created_at) values (gen_random_uuid(), ?, 'Acme', now()) returning id
       )
       insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
       select id, gen_random_uuid(), 'ada@acme.test', 'ada@acme.test', 'Ada', 'admin', now() from workspace`,
      [`acme-${number}`],
    );

  /** Every migration is noted with its checksum, the workspaces are there with their users, and doctor finds nothing. */
  async function expectUpToDate(url: string, numbers: number[]): Promise<void> {
    expect(
      await postgres.run(
        "select count(*)::int as noted from migrations where checksum is not null",
        url.split("/").at(-1),
      ),
    ).toEqual([{ noted: migrations.length }]);
    const admin = adminOf(url);
    for (const number of numbers) {
      const listed = await admin.run(`users list --workspace acme-${number} --json`);
      expect(listed.json()).toMatchObject({ users: [{ email: "ada@acme.test" }] });
    }
    expectSound((await admin.run("doctor --json")).out);
    await admin.close();
  }

  it("keeps the data of each state through all migrations that come later", async () => {
    const url = await database(async () => undefined);
    const db = knex({ client: "pg", connection: url });
    for (const [number, { name }] of migrations.entries()) {
      const ran = await db.transaction((trx) => migrateIn(trx, migrations.slice(0, number + 1)));
      expect(ran).toEqual([name]);
      await db.transaction((trx) => insertWorkspace(trx, number));
    }
    await db.destroy();
    expect(await migrate(url)).toEqual([]);
    await expectUpToDate(
      url,
      migrations.map((_, number) => number),
    );
  });

  // The first, the last but one, and some between.
  it.each(
    migrations
      .map(({ name }, i) => [name, i + 1] as const)
      .filter((_, i) => i % 10 === 0 || i === migrations.length - 2),
  )("that ended with %s, before there were checksums, is brought up to date with its data", async (_name, length) => {
    const url = await database(async (trx) => {
      await migrateIn(trx, migrations.slice(0, length));
      await trx.raw("alter table migrations drop column checksum");
      await insertWorkspace(trx, length);
    });
    expect(await migrate(url)).toEqual(migrations.slice(length).map(({ name }) => name));
    await expectUpToDate(url, [length]);
  });

  it("that an edited migration has made is refused, by a start, a command and doctor", async () => {
    const url = await database(async (trx) => {
      await migrateIn(trx);
      await trx("migrations")
        .where({ name: first?.name })
        .update({ checksum: "0".repeat(64) });
    });
    const said =
      /^The database was made by another migrations\/0001-tables than the one here: a released migration was edited/;
    expect((await command(["migrate"], { DATABASE_URL: url })).err).toMatch(said);
    const server = spawnServer("a start", { DATABASE_URL: url, PORT: String(await freePort()), LOG_LEVEL: "fatal" });
    await expect(server.ready).rejects.toThrow("a released migration was edited");
    expect((await command(["doctor"], { DATABASE_URL: url })).out).toMatch(
      /^FAILED migrations: The database was made by another/m,
    );
  });

  it("that was made before there were checksums, by other tables, is refused with what differs", async () => {
    const url = await database(async (trx) => {
      await migrateIn(trx);
      await trx.raw(
        "alter table migrations drop column checksum; alter table people drop column job_title; drop index tasks_due",
      );
    });
    expect((await command(["migrate"], { DATABASE_URL: url })).err).toMatch(
      /^The database was made by an unfinished version of this server, with other tables \(table people: the column job_title is missing/,
    );
    expect((await command(["doctor"], { DATABASE_URL: url })).out).toMatch(
      /^FAILED schema: table people: the column job_title is missing/m,
    );
  });

  it("with an index and an extension of an administrator is served", async () => {
    const url = await database(async (trx) => {
      await migrateIn(trx);
      await trx.raw(
        "create index mine on people (created_at); create extension pgcrypto; create table mine2 (id int); create view v as select 1",
      );
    });
    expect((await command(["doctor"], { DATABASE_URL: url })).out).toMatch(
      /^ok {5}schema: besides what the migrations make: /m,
    );
  });
});
