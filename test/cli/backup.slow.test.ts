import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { startEmbedded } from "contact-workspace-postgres";
import pg from "pg";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { EVENTS_KEPT_MS } from "../../config/limits.ts";
import { migrations } from "../../database/migrations/index.ts";
import type { Query } from "../../database/query.ts";
import { appendToLog } from "../../engine/events/append.ts";
import { beginPeriod, dropPeriods } from "../../engine/events/periods.ts";
import { DIVIDED, makePeriod } from "../../engine/periods/periods.ts";
import { command, startCommand } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { type ServerProcess, spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { openBackup } from "../../tools/backup/read.ts";
import { storedTables } from "../../tools/backup/tables.ts";
import { recordsOf } from "../http/batch-results.ts";
import { type Client, type Item, patientClient } from "../support/client.ts";
import { testFolder } from "../support/folder.ts";
import { OWN_LOCKS } from "../support/own-locks.ts";
import { type OwnPostgres, postgres15, startPostgres } from "../support/postgres.ts";
import type { TestServer } from "../support/server.ts";

/** docs/guides/backups.md */
jest.setTimeout(300_000);

interface Running {
  process: ServerProcess;
  api: Client;
  variables: Record<string, string>;
}

const folder = testFolder();
const inFolder = (name: string) => join(folder.path, name);
let source: Running;
let key: string;
/** What was acknowledged, by the id. */
const acknowledged = new Map<string, Item>();
let taken: { file: string; before: Map<string, Item> };
let old: OwnPostgres | undefined;

async function serve(variables: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const all = { RATE_LIMITS: "off", LOG_LEVEL: "warn", PORT: String(port), DATABASE_URL: "", ...variables };
  const server = spawnServer("a server", all);
  await server.ready;
  key ??= /^API key: (\S+)$/m.exec(server.said())?.[1] ?? "";
  const base = `http://127.0.0.1:${port}`;
  // A machine at its limit may answer one of thousands of requests with 503.
  const api = patientClient({ base, publicUrl: `http://localhost:${port}` } as TestServer, key);
  return { process: server, api, variables: all };
}

/** Pause of a writer between two writes. Each record is read again later, and hundreds of them are enough. */
const PAUSE_MS = 500;

/** Writes until it is told to stop: people one by one, and companies in batches. */
function writeLoad(api: Client): { stop(): Promise<void> } {
  let writing = true;
  const note = (items: Item[]) => {
    for (const item of items) acknowledged.set(item.id, item);
  };
  const people = async (writer: number) => {
    for (let i = 0; writing; i += 1) {
      const answer = await api.post("/v1/people", {
        fullName: `Zoë "${writer}"\t${i}\n\\N`,
        emails: [`p${writer}-${i}@example.test`],
        companies: [{ name: `Company ${i % 7}` }],
      });
      if (answer.status < 300) note([answer.data]);
      await pause(PAUSE_MS);
    }
  };
  const batches = async () => {
    for (let i = 0; writing; i += 1) {
      const records = Array.from({ length: 50 }, (_, n) => ({
        name: `Batch ${i}-${n}`,
        description: "ü\r\n\u{1F600}",
      }));
      const answer = await api.post("/v1/companies/batch/create", { records });
      if (answer.status < 300) note(recordsOf(answer));
      await pause(PAUSE_MS);
    }
  };
  const all = Promise.all([people(1), people(2), batches()]);
  const stop = async () => {
    writing = false;
    await all;
  };
  return { stop };
}

beforeAll(async () => {
  source = await serve({ DATA_DIR: inFolder("source") });
  const webhook = {
    name: "All",
    targetUrl: "https://example.test/hook",
    subscribedEvents: [{ eventType: "person.created" }],
  };
  expect((await source.api.post("/v1/webhooks", webhook)).status).toBe(200);
  const load = writeLoad(source.api);
  await until("some writes are acknowledged", () => acknowledged.size > 300, 60_000);
  const before = new Map(acknowledged);
  const file = inFolder("taken.zip");
  const { code, err } = await command(["backup", "--output", file, "--with-key"], source.variables);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("The key of stored secrets is in it") });
  taken = { file, before };
  await until("writes go on", () => acknowledged.size > before.size + 50, 60_000);
  await load.stop();
  const bin = postgres15();
  if (bin) old = await startPostgres({ bin });
});

afterAll(async () => {
  await source.process.end("SIGTERM");
  await old?.stop();
  folder.remove();
});

/** Every row of every table that a backup holds, as texts in an order of their own. */
async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const reader = new pg.Client(url);
  await reader.connect();
  const query: Query = async (sql, values) => (await reader.query(sql, [...values])).rows;
  const rows: Record<string, string[]> = {};
  for (const { name, isUnlogged } of await storedTables(query)) {
    if (isUnlogged) continue;
    const found = await query<{ row: string }>(`select t::text as row from "${name}" t order by 1`, []);
    rows[name] = found.map(({ row }) => row);
  }
  for (const name of ["outbox_seq_seq", "change_log_seq"])
    rows[name] = [JSON.stringify((await reader.query(`select last_value, is_called from ${name}`)).rows)];
  await reader.end();
  return rows;
}

const embeddedRows = (dataDir: string) => inEmbedded(dataDir, rowsOf);

/** Works on the database of a data folder while no server does. */
async function inEmbedded<Result>(dataDir: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const embedded = await startEmbedded(dataDir);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** The partitions in which there are rows, of all tables that have some, in the order of their names. */
const partitions = (query: Query) =>
  query<{ name: string }>(
    `select distinct tableoid::regclass::text as name from change_log union select tableoid::regclass::text from log_texts
     union select tableoid::regclass::text from deliveries union select tableoid::regclass::text from saved_responses order by 1`,
    [],
  );

/** Lets deliveries and saved responses go through further periods with a row in each. */
async function ageTables(query: Query, workspaceId: Uuid): Promise<void> {
  for (const number of [1_500_000_000_000, 1_600_000_000_000, 1_700_000_000_000]) {
    await query("begin", []);
    for (const divided of DIVIDED) {
      await makePeriod(query, divided, number);
      await query("select setval($1, $2)", [`${divided.table}_period`, number]);
    }
    await query("commit", []);
    await query(
      `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
       values ($1, gen_random_uuid(), $1, $1, 'person.created', $1, 'succeeded', now())`,
      [workspaceId],
    );
    await query(
      `insert into saved_responses (workspace_id, user_id, key, fingerprint, status, expires_at)
       values ($1, $1, gen_random_uuid()::text, 'f', 200, now() + interval '1 day')`,
      [workspaceId],
    );
  }
}
const DROPPED = ["change_log_before", "change_log_1", "change_log_2", "log_texts_1"];

/**
 * Lets the log of a database go through further periods with entries in each, and drops those that it had before, as
 * time does.
 */
async function ageLog(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const query: Query = async (sql, values) => (await client.query(sql, [...values])).rows;
  const [workspace] = await query<{ id: Uuid }>("select id from workspaces", []);
  const changes = [{ path: ["description"], before: null, after: "x".repeat(3_000) }];
  const entry = () => ({ type: "person.updated" as const, recordId: newUuid(), body: { groups: [], changes } });
  for (let period = 2; period <= 5; period += 1) {
    expect(await beginPeriod(query, 0)).toBe(true);
    await appendToLog(query, { workspaceId: workspace?.id as Uuid }, [entry(), entry()]);
  }
  await query("update settings set value = value || $1 where name = 'change_log_periods'", [
    { 1: "2020-01-01", 2: "2020-01-08", 3: "2020-01-15" },
  ]);
  expect(await dropPeriods(query, EVENTS_KEPT_MS)).toEqual(DROPPED);
  await ageTables(query, workspace?.id as Uuid);
  const names = (await partitions(query)).map(({ name }) => name);
  await client.end();
  return names;
}

/** Compares every record that was acknowledged with what a restored server answers. */
async function expectAcknowledged(variables: Record<string, string>): Promise<void> {
  const restored = await serve(variables);
  try {
    for (const [id, item] of acknowledged) {
      const answer = await restored.api.get(`/v1/${id.startsWith("per") ? "people" : "companies"}/${id}`);
      // What was acknowledged while the backup was made may be in it, but not by half.
      if (answer.status === 404 && !taken.before.has(id)) continue;
      expect(answer.data).toEqual(item);
    }
  } finally {
    await restored.process.end("SIGTERM");
  }
  await expectServed(variables);
}

/** Writes to a restored server, which tells of it, and asks the doctor. */
async function expectServed(variables: Record<string, string>): Promise<void> {
  const restored = await serve(variables);
  try {
    const since = new Date(Date.now() - 1000).toISOString();
    const { status, data } = await restored.api.post("/v1/people", { fullName: "After" });
    expect(status).toBe(200);
    const told = await restored.api.get(`/v1/events?types=person.created&since=${since}`);
    expect(told.items.at(-1)).toMatchObject({ data: { id: data.id } });
  } finally {
    await restored.process.end("SIGTERM");
  }
  const { code, out, err } = await command(["doctor"], variables);
  expect({ code, err, out }).toMatchObject({ code: 0, err: "" });
}

describe("a backup that was made while the server wrote", () => {
  it("is a file that only its owner may read, and lists what is in it", async () => {
    expect(statSync(taken.file).mode & 0o777).toBe(0o600);
    const { archive, manifest } = await openBackup(taken.file);
    archive.close();
    expect(manifest.migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    expect(manifest.leftOut).toEqual(["coordinator_repairs", "event_streams", "rate_windows", "request_logs"]);
    expect(manifest.tables.find(({ name }) => name === "people")?.rows).toBeGreaterThan(0);
    expect(readdirSync(folder.path).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  it("is restored into an empty data folder with everything that was acknowledged before", async () => {
    const variables = { DATA_DIR: inFolder("restored") };
    const { code, err } = await command(["restore", taken.file], variables);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(readFileSync(inFolder("restored/encryption.key"))).toEqual(readFileSync(inFolder("source/encryption.key")));
    await expectAcknowledged(variables);
  });

  it("goes from PostgreSQL 18 to 15 and back, equal in every row", async () => {
    if (!old) return;
    await old.run("create database contacts");
    const url = old.url("contacts");
    expect(await command(["restore", taken.file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    const back = inFolder("back.zip");
    const backedUp = await command(["backup", "--output", back, "--json"], { DATABASE_URL: url });
    expect(JSON.parse(backedUp.out)).toMatchObject({ file: back, release: "0.1.0", workspaces: 1, removed: [] });
    expect(await command(["restore", back], { DATA_DIR: inFolder("again") })).toMatchObject({ code: 0 });
    expect(await command(["restore", taken.file], { DATA_DIR: inFolder("direct") })).toMatchObject({ code: 0 });
    const direct = await embeddedRows(inFolder("direct"));
    // The key and the note of the backup are of the one database alone.
    const comparable = (rows: Record<string, string[]>) => ({
      ...rows,
      settings: rows.settings?.filter((row) => !/secret\.encryption|last_backup/.test(row)),
    });
    expect(comparable(await rowsOf(url))).toEqual(comparable(direct));
    expect(comparable(await embeddedRows(inFolder("again")))).toEqual(comparable(direct));
    await expectAcknowledged({ DATABASE_URL: url });
  });
});

it("holds every row as it stands in the database", async () => {
  // A server delivers what is pending to webhooks, so the database is still only without it.
  await source.process.end("SIGTERM");
  const embedded = await startEmbedded(inFolder("source"));
  try {
    const file = inFolder("quiet.zip");
    const before = await rowsOf(embedded.url);
    expect(await command(["backup", "--output", file], source.variables)).toMatchObject({ code: 0 });
    expect(await command(["restore", file], { DATA_DIR: inFolder("quiet") })).toMatchObject({ code: 0 });
    expect(await embeddedRows(inFolder("quiet"))).toEqual(before);
  } finally {
    await embedded.stop();
    source = await serve({ DATA_DIR: inFolder("source") });
  }
});

it("a log of several periods is in the backup, and in a database that is restored from it once and again", async () => {
  const aged = { DATA_DIR: inFolder("aged") };
  expect(await command(["restore", taken.file], aged)).toMatchObject({ code: 0 });
  const names = await inEmbedded(aged.DATA_DIR, ageLog);
  const texts = [2, 3, 4, 5].map((period) => `log_texts_${period}`);
  expect(names.filter((name) => /^(change_log|log_texts)/.test(name))).toEqual([
    "change_log_3",
    "change_log_4",
    "change_log_5",
    ...texts,
  ]);
  const times = [1_500_000_000_000, 1_600_000_000_000, 1_700_000_000_000];
  const others = DIVIDED.flatMap(({ table }) => times.map((time) => `${table}_${time}`));
  expect(names).toEqual(expect.arrayContaining(others));
  const rows = await embeddedRows(aged.DATA_DIR);
  const file = inFolder("aged.zip");
  expect(await command(["backup", "--output", file, "--with-key"], aged)).toMatchObject({ code: 0 });

  const restored = { DATA_DIR: inFolder("younger") };
  for (const words of [
    ["restore", file],
    ["restore", file, "--replace", "--yes"],
  ]) {
    expect(await command(words, restored)).toMatchObject({ code: 0, err: "" });
    expect(await embeddedRows(restored.DATA_DIR)).toEqual(rows);
    await inEmbedded(restored.DATA_DIR, async (url) => {
      const client = new pg.Client(url);
      await client.connect();
      const query: Query = async (sql, values) => (await client.query(sql, [...values])).rows;
      expect((await partitions(query)).map(({ name }) => name)).toEqual(names);
      // Those that were dropped are made anew by the migrations. Nothing is in them, and they go as the first time.
      const again = await dropPeriods(query, EVENTS_KEPT_MS);
      expect(again).toEqual(DROPPED);
      expect(await beginPeriod(query, 0)).toBe(true);
      // A process that is killed between taking a period out of the log and dropping its table leaves the table.
      if (!words.includes("--replace")) {
        await query("alter table change_log detach partition change_log_3", []);
        await query("alter table saved_responses detach partition idempotency_keys", []);
        await query("alter table deliveries detach partition deliveries_1600000000000", []);
      }
      await client.end();
    });
  }
  await expectServed(restored);
  // And the older backup, whose log has fewer periods, in the place of both.
  expect(await command(["restore", taken.file, "--replace", "--yes"], restored)).toMatchObject({ code: 0, err: "" });
  await expectAcknowledged(restored);
});

it("says that a key is missing which the backup does not have, and doctor says it too", async () => {
  const file = inFolder("no-key.zip");
  const backedUp = await command(["backup", "--output", file], source.variables);
  expect(backedUp.err).toMatch(/The key \w{16} of stored secrets is not in it/);
  const variables = { DATA_DIR: inFolder("no-key") };
  const { code, err } = await command(["restore", file], variables);
  expect(code).toBe(0);
  expect(err).toMatch(/Some stored secrets of webhooks cannot be read: .* add it to ENCRYPTION_KEYS, or restore/);
  expect((await command(["doctor"], variables)).out).toContain("FAILED encryption");
  copyFileSync(inFolder("source/encryption.key"), inFolder("no-key/encryption.key"));
  expect((await command(["doctor"], variables)).out).toContain("ok     encryption: 1 secrets can be read");
});

describe("a restore", () => {
  const empty = async (dataDir: string) => {
    const embedded = await startEmbedded(dataDir);
    const reader = new pg.Client(embedded.url);
    await reader.connect();
    const { rows } = await reader.query("select relname from pg_class where relnamespace = 'public'::regnamespace");
    await reader.end();
    await embedded.stop();
    return rows.length === 0;
  };

  it.each([
    ["cut", (file: string) => truncateSync(file, statSync(file).size - 100), /is not a backup, or not a whole one/],
    [
      "damaged",
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(7, 5000, 5100);
        writeFileSync(file, bytes);
      },
      /is (damaged|not a backup, or not a whole one)/,
    ],
    ["something else", (file: string) => writeFileSync(file, "hello"), /is not a backup, or not a whole one/],
  ])("refuses a file that is %s before it touches anything", async (what, spoil, said) => {
    const file = inFolder(`${what}.zip`);
    copyFileSync(taken.file, file);
    spoil(file);
    const { code, err } = await command(["restore", file], { DATA_DIR: inFolder(`for ${what}`) });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(said) });
    expect(err.trim()).not.toContain("\n");
    expect(existsSync(inFolder(`for ${what}`))).toBe(false);
  });

  it("refuses a database with workspaces, and one that a server uses; --replace replaces what is there", async () => {
    const variables = { DATA_DIR: inFolder("full") };
    expect(await command(["restore", taken.file], variables)).toMatchObject({ code: 0 });
    const refused = await command(["restore", taken.file], variables);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("has 1 workspace already") });
    const inUse = await command(["restore", taken.file, "--replace", "--yes"], source.variables);
    expect(inUse).toMatchObject({ code: 1, err: expect.stringContaining("is using this database: stop it") });
    const rows = await embeddedRows(inFolder("full"));
    const embedded = await startEmbedded(inFolder("full"));
    const writer = new pg.Client(embedded.url);
    await writer.connect();
    await writer.query("delete from people");
    await writer.end();
    await embedded.stop();
    expect(await command(["restore", taken.file, "--replace", "--yes"], variables)).toMatchObject({ code: 0 });
    expect(await embeddedRows(inFolder("full"))).toEqual(rows);
  });

  it("that is killed in the middle leaves the database empty, and the next one succeeds", async () => {
    const variables = { DATA_DIR: inFolder("killed") };
    const embedded = await startEmbedded(inFolder("killed"));
    const watcher = new pg.Client(embedded.url);
    await watcher.connect();
    // It stops where the tables are filled, and nothing is committed.
    await watcher.query(`create function hold() returns event_trigger language plpgsql as $$ begin
        -- Two conditions, because the second one is only then read when the table is there.
        if to_regclass('people') is not null then
          if exists (select from people) then perform pg_advisory_lock(42); end if;
        end if;
      end $$;
      create event trigger hold on ddl_command_end when tag in ('ALTER TABLE') execute function hold();
      select pg_advisory_lock(42)`);
    const { child, ended } = startCommand(["restore", taken.file], variables);
    await until(
      "rows are copied",
      async () => {
        const { rows } = await watcher.query(
          `select from ${OWN_LOCKS} where locktype = 'advisory' and objid = 42 and not granted`,
        );
        return rows.length > 0;
      },
      60_000,
    );
    child.kill("SIGKILL");
    expect((await ended).code).toBeNull();
    await watcher.query("drop event trigger hold; drop function hold");
    await watcher.end();
    await embedded.stop();
    expect(await empty(inFolder("killed"))).toBe(true);
    expect(await command(["restore", taken.file], variables)).toMatchObject({ code: 0 });
  });

  it("refuses a disk on which the rows have no room, before it begins", async () => {
    const disk = inFolder("tiny");
    mkdirSync(disk);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", disk]).status !== 0) return;
    try {
      const { code, err } = await command(["restore", taken.file], { DATA_DIR: disk, DATABASE_URL: "" });
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/tiny has 60 MiB of free space, and this backup needs about \d{3}: free some space/),
      });
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  it("refuses the backup of a later release in words", async () => {
    const embedded = await startEmbedded(inFolder("full"));
    const writer = new pg.Client(embedded.url);
    await writer.connect();
    await writer.query("insert into migrations (name, batch, migration_time) values ('9999-later', 9, now())");
    const refused = await command(["backup", "--output", inFolder("later.zip")], { DATA_DIR: inFolder("full") });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("made by a later release (9999-later). Update"),
    });
    await writer.end();
    await embedded.stop();
  });
});

describe("a backup", () => {
  it.each([
    ["SIGKILL", ""],
    ["SIGINT", "Stopped. There is no backup.\n"],
  ] as const)("that is ended by %s leaves no file", async (signal, said) => {
    const own = testFolder();
    const file = join(own.path, "half.zip");
    const embedded = await startEmbedded(inFolder("source"));
    const blocker = new pg.Client(embedded.url);
    await blocker.connect();
    await blocker.query("begin; lock table workspaces in access exclusive mode");
    const { child, ended } = startCommand(["backup", "--output", file], source.variables);
    await until("it is in the middle", () => readdirSync(own.path).some((name) => name.includes("unfinished")), 60_000);
    child.kill(signal);
    await blocker.query("rollback");
    expect(await ended).toMatchObject({ err: said });
    await blocker.end();
    await embedded.stop();
    expect(existsSync(file)).toBe(false);
    // What a killed one has left, the next one removes.
    expect(await command(["backup", "--output", file], source.variables)).toMatchObject({ code: 0 });
    expect(readdirSync(own.path)).toEqual(["half.zip"]);
    own.remove();
  });

  it("that is under way keeps a restore from waiting for it without a word", async () => {
    const file = inFolder("slow.zip");
    const embedded = await startEmbedded(inFolder("source"));
    const blocker = new pg.Client(embedded.url);
    await blocker.connect();
    await blocker.query("begin; lock table workspaces in access exclusive mode");
    const { ended } = startCommand(["backup", "--output", file], source.variables);
    const unfinished = () => readdirSync(folder.path).some((name) => name.startsWith("slow.zip.unfinished"));
    await until("it is in the middle", unfinished, 60_000);
    expect(await command(["restore", taken.file, "--replace", "--yes"], source.variables)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^A server or a command is using this database/),
    });
    await blocker.query("rollback");
    expect(await ended).toMatchObject({ code: 0 });
    await blocker.end();
    await embedded.stop();
  });

  it("keeps the newest ones of a folder", async () => {
    const own = testFolder();
    for (const name of ["contact-workspace-20200101T000000Z.zip", "contact-workspace-20210101T000000Z.zip", "mine.zip"])
      own.write(name, "");
    const { out } = await command(["backup", "--output", own.path, "--keep", "2", "--json"], source.variables);
    const { file, removed } = JSON.parse(out);
    expect(removed).toEqual(["contact-workspace-20200101T000000Z.zip"]);
    expect(readdirSync(own.path).map((name) => join(own.path, name))).toEqual([
      join(own.path, "contact-workspace-20210101T000000Z.zip"),
      file,
      join(own.path, "mine.zip"),
    ]);
    own.remove();
  });

  it("goes to standard output, and nothing else does", async () => {
    const { child, ended } = startCommand(["backup", "--output", "-"], source.variables);
    const pieces: Buffer[] = [];
    child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
    expect((await ended).code).toBe(0);
    const file = folder.write("piped.zip", Buffer.concat(pieces));
    (await openBackup(file)).archive.close();
  });

  it.each([
    [["--output", "-", "--json"], 2, /With --output - standard output is the backup/],
    [["--keep", "3", "--output", "x.zip"], 2, /--keep needs a folder/],
    [["--keep", "0"], 2, /--keep is "0"\. Allowed: a whole number from 1/],
    [["--output", "/nowhere/x.zip"], 1, /There is no folder \/nowhere: make it, or give another --output/],
  ])("says in one line what is wrong: %j", async (words, code, said) => {
    const ended = await command(["backup", ...words], source.variables);
    expect(ended).toEqual({ code, out: "", err: expect.stringMatching(said) });
    expect(ended.err.trim()).not.toContain("\n");
  });

  it("makes no database where there is none", async () => {
    const { code, err } = await command(["backup"], { DATA_DIR: inFolder("nothing") });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("There is no database in") });
    expect(existsSync(inFolder("nothing"))).toBe(false);
  });
});
