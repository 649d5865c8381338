import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import { command } from "../../../lab/harness/command.ts";
import { until } from "../../../lab/harness/until.ts";
import { type EmbeddedDatabase, startEmbedded } from "../embedded.ts";
import { findPostmaster, isAlive } from "../postmaster.ts";

let parent: string;
let dataDir: string;
let running: EmbeddedDatabase[] = [];

const start = async (folder: string) => {
  const embedded = await startEmbedded(folder);
  running.push(embedded);
  return embedded;
};
const stopAll = async () => {
  for (const embedded of running) await embedded.stop();
  running = [];
};
const postmasterPid = () => findPostmaster(join(dataDir, "postgres"))?.pid ?? 0;

beforeAll(() => {
  // Closed to every other user, with a name that has to be quoted: where people keep their projects.
  parent = mkdtempSync(join(tmpdir(), "Contact, 'Workspace' "));
  dataDir = join(parent, "data");
});

afterAll(async () => {
  await stopAll();
  rmSync(parent, { recursive: true, force: true });
});

it("makes a database on the first start and keeps its rows through stop and start", async () => {
  const first = await start(dataDir);
  expect(first.fresh).toBe(true);
  await query(first, "create table kept as select 42 as n");
  const pid = postmasterPid();
  await stopAll();
  expect(isAlive(pid)).toBe(false);

  const second = await start(dataDir);
  expect(second.fresh).toBe(false);
  expect(await query(second, "select n from kept")).toEqual([{ n: 42 }]);
});

it("keeps pages in memory: in a quarter of it at most, and within its bounds", async () => {
  const [embedded] = running;
  if (!embedded) throw new Error("no server");
  const sql = "select setting::int / 128 as mib from pg_settings where name = 'shared_buffers'";
  const [{ mib } = { mib: 0 }] = (await query(embedded, sql)) as { mib: number }[];
  expect(mib).toBeGreaterThanOrEqual(128);
  expect(mib).toBeLessThanOrEqual(Math.min(1024, Math.max(128, totalmem() / 4 / 1024 ** 2)));
});

it("joins a running server, and only the last who leaves stops it", async () => {
  const [first] = running;
  const pid = postmasterPid();
  const second = await start(dataDir);
  expect(postmasterPid()).toBe(pid);
  await first?.stop();
  expect(isAlive(pid)).toBe(true);

  const client = await connect(second);
  await second.stop();
  expect(isAlive(pid)).toBe(true);
  expect((await client.query("select n from kept")).rows).toEqual([{ n: 42 }]);
  await client.end();
  running = [];
  await start(dataDir);
  expect(postmasterPid()).toBe(pid);
});

it("starts a killed server again by itself, under the same address and with what was committed", async () => {
  const [embedded] = running;
  if (!embedded) throw new Error("no server");
  await query(embedded, "create table committed as select 1 as n");
  const pid = postmasterPid();
  process.kill(pid, "SIGKILL");
  await until("another server answers", async () => {
    const rows = await query(embedded, "select n from committed");
    return rows.length === 1 && postmasterPid() !== pid;
  });
});

it("lets several processes that start at once after a crash share one server, though the dead one's file names a living process", async () => {
  const pid = postmasterPid();
  const file = join(dataDir, "postgres", "postmaster.pid");
  const content = readFileSync(file, "utf8");
  await stopAll();
  await until("the server has gone", () => !isAlive(pid));
  writeFileSync(file, content.replace(/^\d+/, String(process.pid)));
  writeFileSync(join(dataDir, "socket", ".s.PGSQL.5432.lock"), `${process.pid}\n`);

  const all = await Promise.all([start(dataDir), start(dataDir), start(dataDir)]);
  expect(new Set(all.map((embedded) => embedded.url)).size).toBe(1);
  for (const embedded of all) expect(await query(embedded, "select n from kept")).toEqual([{ n: 42 }]);
  const last = postmasterPid();
  await Promise.all(all.map((embedded) => embedded.stop()));
  running = [];
  await until("the server has gone", () => !isAlive(last));
});

it.each([
  ["emptied", ""],
  ["filled with zeros", "\0".repeat(64)],
  ["filled with something else", "lost+found\n"],
  ["cut off within the number of a living process", String(process.pid)],
  ["written by a PostgreSQL without others that is dead", `-${deadPid()}\n`],
  ["given a number that no process has", "99999999999999\n"],
])("starts at once after a loss of power has left a postmaster.pid %s", async (_state, content) => {
  leavePidFile(content);
  mkdirSync(join(dataDir, "socket", ".s.PGSQL.5432.lock"), { recursive: true });
  const embedded = await start(dataDir);
  expect(await query(embedded, "select n from kept")).toEqual([{ n: 42 }]);
  await stopAll();
});

it("waits for a server that has not written its number yet, and does not take its file away", async () => {
  const embedded = await start(dataDir);
  const file = join(dataDir, "postgres", "postmaster.pid");
  const content = readFileSync(file, "utf8");
  leavePidFile("");
  expect(findPostmaster(join(dataDir, "postgres"))).toMatchObject({ ready: false });
  writeFileSync(file, content);
  expect(await query(embedded, "select n from kept")).toEqual([{ n: 42 }]);
  await stopAll();

  // Nobody works in the folder, but a server that makes the file does not need to be known yet.
  writeFileSync(file, "");
  expect(findPostmaster(join(dataDir, "postgres"))).toMatchObject({ ready: false });
  expect(existsSync(file)).toBe(true);
  rmSync(file);
});

it("names a postmaster.pid that cannot be read, with the line that removes it", async () => {
  const file = join(dataDir, "postgres", "postmaster.pid");
  mkdirSync(file);
  await expect(startEmbedded(dataDir)).rejects.toThrow(`run rm -rf '${file.replaceAll("'", "'\\''")}'`);
  rmSync(file, { recursive: true });
});

it("connects by what it knows alone, whatever the environment says to clients and servers of PostgreSQL", async () => {
  const variables = {
    ...{ PGSSLMODE: "require", PGOPTIONS: "-c no_such_setting=1", PGHOST: "db.invalid", PGPORT: "1", PGUSER: "nobody" },
    ...{ PGPASSWORD: "x", PGDATA: "/nowhere", PGTZ: "Mars/Base", PGDATESTYLE: "German", PGCLIENTENCODING: "LATIN1" },
    ...{ PGCONNECT_TIMEOUT: "x", PGSSLNEGOTIATION: "direct", LANG: "xx_XX.UTF-8", LC_CTYPE: "xx_XX", LC_ALL: "xx_XX" },
  };
  const folder = join(parent, "with variables");
  expect(await command(["migrate"], { ...variables, DATA_DIR: folder })).toMatchObject({ code: 0, err: "" });
  expect(findPostmaster(join(folder, "postgres"))).toBeUndefined();
});

it("makes one database when several processes start at once on an empty folder, sweeping what a killed one left", async () => {
  const folder = join(parent, "fresh");
  const leftover = join(folder, `postgres.new-${deadPid()}-abcdef`);
  mkdirSync(leftover, { recursive: true });
  const all = await Promise.all([start(folder), start(folder)]);
  expect(all.filter((embedded) => embedded.fresh)).toHaveLength(1);
  expect(existsSync(leftover)).toBe(false);
  await stopAll();
});

it("finds a place for its socket when the path of the data folder is too long for one", async () => {
  const folder = join(parent, "a-very-long-name-".repeat(6));
  const first = await start(folder);
  expect(await query(first, "select 1 as n")).toEqual([{ n: 1 }]);
  const second = await start(folder);
  expect(second.url).toBe(first.url);
  await stopAll();
});

it("refuses the data of another major version with a sentence that says what to do", async () => {
  const folder = join(parent, "older");
  mkdirSync(join(folder, "postgres"), { recursive: true });
  writeFileSync(join(folder, "postgres", "PG_VERSION"), "15\n");
  await expect(startEmbedded(folder)).rejects.toThrow("made by PostgreSQL 15, this is 18: move it away");
});

it("leaves no PostgreSQL behind when it starts, and the database cannot be used", async () => {
  const folder = join(parent, "fresh");
  const whole = await start(folder);
  const url = whole.url.replace("contact_workspace", "postgres");
  await query({ ...whole, url }, "drop database contact_workspace");
  await query({ ...whole, url }, "alter database template1 is_template false");
  await query({ ...whole, url }, "drop database template1");
  await stopAll();
  await expect(start(folder)).rejects.toThrow('template database "template1" does not exist');
  expect(findPostmaster(join(folder, "postgres"))).toBeUndefined();
});

it.each([
  ["an empty PG_VERSION", "PG_VERSION", "", "PG_VERSION does not hold a PostgreSQL version"],
  ["no PG_VERSION", "postgresql.conf", "", "is not empty, and holds no database (PG_VERSION is missing)"],
])("names what is wrong with a folder that has %s", async (_what, name, content, words) => {
  const folder = join(parent, `damaged ${name}`);
  mkdirSync(join(folder, "postgres"), { recursive: true });
  writeFileSync(join(folder, "postgres", name), content);
  await expect(startEmbedded(folder)).rejects.toThrow(words);
});

/** Leaves the file as it would be after a while in which nobody has written to it. */
function leavePidFile(content: string): void {
  const file = join(dataDir, "postgres", "postmaster.pid");
  writeFileSync(file, content);
  utimesSync(file, 0, 0);
}

async function connect({ url }: EmbeddedDatabase): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function query(embedded: EmbeddedDatabase, sql: string): Promise<unknown[]> {
  const client = await connect(embedded);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function deadPid(): number {
  return spawnSync("true").pid;
}

it.each([
  ["a file", () => join(parent, "file")],
  ["a folder below a file", () => join(parent, "file", "data")],
  // The system answers there that the folder itself is not there, to whoever wants to make one.
  ["a folder that nobody can make", () => "/proc/contact-workspace/data"],
])("says that DATA_DIR cannot be written when it is %s", async (_what, folder) => {
  writeFileSync(join(parent, "file"), "");
  const named = folder();
  await expect(startEmbedded(named)).rejects.toThrow(`DATA_DIR is "${named}", which cannot be written (`);
});
