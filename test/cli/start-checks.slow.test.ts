import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { release } from "../../config/release.ts";
import { refuseUnfit } from "../../database/migrate/unfit.ts";
import type { Query } from "../../database/query.ts";
import { findOrInstall } from "../../lab/harness/apt.ts";
import { command } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { spawnServer } from "../../lab/harness/server-process.ts";
import { until } from "../../lab/harness/until.ts";
import { makeCertificates } from "../support/certificates.ts";
import { testFolder } from "../support/folder.ts";
import { type OwnPostgres, startPostgres } from "../support/postgres.ts";

/**
 * Messages about a PostgreSQL server, a database or a role that the start refuses.
 * docs/guides/running.md#when-it-does-not-start
 */
jest.setTimeout(300_000);

const PASSWORD = "p@ss/w#rd ü";
/** A free port could be that of another test a moment later. */
const NOBODYS_PORT = 1;
const folder = testFolder();
let plain: OwnPostgres;
let secure: OwnPostgres;
let authority: string;

beforeAll(async () => {
  const { ca, server } = makeCertificates(folder.path);
  authority = ca;
  const files = { "server.crt": readFileSync(server.cert), "server.key": readFileSync(server.key) };
  plain = await startPostgres();
  secure = await startPostgres({
    files,
    settings: { ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" },
  });
  for (const sql of [
    `create role owner login password '${PASSWORD}'`,
    `create role guest login password '${PASSWORD}'`,
    `create role crowded login password '${PASSWORD}' connection limit 0`,
    "create database contacts owner owner",
    "create database taken owner owner",
    "create database ascii encoding 'SQL_ASCII' template template0",
    "create database reading owner owner",
    "alter database reading set default_transaction_read_only = on",
    "create database guests",
    "create database extended",
    "create database borrowed owner owner",
    "create database halved owner owner",
    "create database crowd owner owner connection limit 17",
    // In this database alone: each connection sends its first statement under the limit of its role.
    "alter role owner in database halved set statement_timeout = 20",
  ])
    await plain.run(sql);
  await plain.run("create table invoices (id int); create view totals as select 1 as total", "taken");
  await plain.run("grant create on schema public to guest", "extended");
  await plain.run(
    "create table migrations (id serial primary key, migration text, batch int); insert into migrations (migration, batch) values ('x', 1); alter table migrations owner to owner",
    "borrowed",
  );
  // A migration takes longer than the role's statements may.
  expect(await command(["migrate"], { DATABASE_URL: owner("halved") })).toMatchObject({ code: 0 });
  // All but the first are missing in the list, and their tables are there.
  await plain.run("delete from migrations where id > (select min(id) from migrations)", "halved");
});

afterAll(async () => {
  await plain.stop();
  await secure.stop();
  folder.remove();
});

const owner = (database: string) => plain.url(database, "owner", PASSWORD);
const withQuery = (url: string, query: string) => `${url}?${query}`;

/** Of each: what is set, and the line that is said. */
const CASES: [what: string, url: () => string, said: RegExp][] = [
  [
    "a wrong password",
    () => plain.url("contacts", "owner", "no"),
    /^PostgreSQL has no role "owner", or does not take this password for it: correct DATABASE_URL\. .*%40 for @/,
  ],
  [
    "no password",
    () => owner("contacts").replace(/:[^:]*@/, "@"),
    /^PostgreSQL asks the role "owner" for a password, and DATABASE_URL has none/,
  ],
  [
    "an unknown role",
    () => plain.url("contacts", "nobody", "no"),
    /^PostgreSQL has no role "nobody", or does not take this password for it/,
  ],
  [
    "a role without a free connection",
    () => plain.url("contacts", "crowded", PASSWORD),
    /^PostgreSQL on 127\.0\.0\.1 has no connection left \(too many connections for role "crowded"\): raise .*lower DATABASE_POOL/,
  ],
  [
    "an unknown database",
    () => owner("nowhere"),
    /^There is no database "nowhere" on 127\.0\.0\.1: .*create database nowhere owner owner encoding 'UTF8' template template0/,
  ],
  [
    "an unknown host",
    () => "postgresql://owner@nobody.invalid/contacts",
    /^The host "nobody\.invalid" of DATABASE_URL is not found/,
  ],
  [
    "TLS, of a server without it",
    () => withQuery(owner("contacts"), "sslmode=require"),
    /does not offer TLS: switch it on there, or set sslmode=disable/,
  ],
  [
    "TLS, with a certificate that nobody knows",
    () => withQuery(secure.url("postgres"), "sslmode=require"),
    /^The certificate of 127\.0\.0\.1 cannot be trusted \([^;]*\): set sslrootcert=FILE .*sslmode=no-verify/,
  ],
  [
    "a file of certificates that is not there",
    () => withQuery(secure.url("postgres"), "sslmode=verify-full&sslrootcert=/nowhere.pem"),
    /^A file that DATABASE_URL names is not there \(.*nowhere\.pem.*\): correct DATABASE_URL/,
  ],
  [
    "another encoding",
    () => plain.url("ascii"),
    /^The database ascii has the encoding SQL_ASCII, and UTF8 is needed\. .*create database NAME encoding 'UTF8' template template0/,
  ],
  [
    "a database of something else",
    () => owner("taken"),
    /^The database is not empty, and was not made by this server: the schema public has invoices, totals\. Set DATABASE_URL to an empty database/,
  ],
  [
    "a table of migrations of something else",
    () => owner("borrowed"),
    /^The table "migrations" of the database belongs to another program/,
  ],
  [
    "a table of migrations that the role may not read",
    () => plain.url("borrowed", "guest", PASSWORD),
    /^The tables of the database belong to the role owner, and guest may not read them: set DATABASE_URL to that role/,
  ],
  [
    "tables that the migrations did not leave so",
    () => owner("halved"),
    /^The tables of the database are not as this server left them, so it cannot migrate them \(.*already exists\)\. Restore a backup/,
  ],
  [
    "a read-only database",
    () => owner("reading"),
    /^The database reading is read only: alter database reading reset default_transaction_read_only/,
  ],
  [
    "a role that may make no tables",
    () => plain.url("guests", "guest", PASSWORD),
    /^The role guest may not create tables in the schema public\. .*: grant create on schema public to guest/,
  ],
  [
    "a role that may make no extensions",
    () => plain.url("extended", "guest", PASSWORD),
    /^The role guest may not create the extensions pg_trgm and btree_gin in the database extended\. Let a superuser run in it: create extension pg_trgm; create extension btree_gin/,
  ],
];

describe("is said in one line", () => {
  it.each(CASES)("by a command: %s", async (_what, url, said) => {
    const { code, out, err } = await command(["migrate"], { DATABASE_URL: url() });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(said);
    expect(err.trim()).not.toContain("\n");
  });

  it("by a start, with the same words, and by doctor", async () => {
    const [, url, said] = CASES.find(([what]) => what.includes("extensions")) ?? CASES[0] ?? [];
    const databaseUrl = url?.() ?? "";
    const server = spawnServer("a start", {
      DATABASE_URL: databaseUrl,
      PORT: String(await freePort()),
      LOG_LEVEL: "fatal",
    });
    await expect(server.ready).rejects.toThrow(/ended with 1:/);
    expect(server.said().trim()).toMatch(said ?? "");
    const { out, code } = await command(["doctor"], { DATABASE_URL: plain.url("ascii") });
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED encoding: The database ascii has the encoding SQL_ASCII/m);
    const wrong = await command(["doctor"], { DATABASE_URL: plain.url("contacts", "owner", "no") });
    expect(wrong.out).toMatch(/^FAILED database: PostgreSQL has no role "owner", or does not take this password/);
  });

  it("by a start that waits: a port where nobody listens, and a server without a free connection", async () => {
    const closed = spawnServer("a start", {
      DATABASE_URL: `postgresql://a:b@127.0.0.1:${NOBODYS_PORT}/c`,
      PORT: String(await freePort()),
    });
    await until(
      "it says so",
      () => closed.said().includes("Waiting for PostgreSQL: No PostgreSQL answers at 127.0.0.1, port"),
      30_000,
    );
    await closed.end();
  });
});

it("is said of a standby, and a start waits until it is the primary", async () => {
  const standby = await startPostgres({ files: { "standby.signal": "" } });
  const variables = { DATABASE_URL: standby.url("postgres") };
  const { code, err } = await command(["migrate"], variables);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^This PostgreSQL is a standby, which takes no writes/),
  });
  const server = spawnServer("a start", { ...variables, PORT: String(await freePort()) });
  await until("it waits", () => server.said().includes("Waiting for PostgreSQL: This PostgreSQL is a standby"), 30_000);
  await standby.run("select pg_promote()");
  await server.ready;
  await server.end("SIGTERM");
  await standby.stop();
});

it("refuses a PostgreSQL that is too old", async () => {
  const facts = {
    version: "14.9",
    version_number: 140_009,
    encoding: "UTF8",
    standby: false,
    read_only: false,
    database: "contacts",
  };
  const query: Query = async <Row>() => [facts as Row];
  await expect(refuseUnfit(query)).rejects.toThrow(
    "This is PostgreSQL 14.9, and 15 or later is needed: update it, or set",
  );
});

it("prints the release", async () => {
  expect(await command(["--version"], {})).toEqual({ code: 0, out: `${release()}\n`, err: "" });
});

it("takes a password with odd characters, and an address with TLS and its authority, and prints no warning", async () => {
  const { code, err } = await command(["migrate"], { DATABASE_URL: owner("contacts") });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  await secure.run("create database contacts");
  for (const mode of ["require", "verify-ca", "verify-full"]) {
    const url = withQuery(secure.url("contacts"), `sslmode=${mode}&sslrootcert=${authority}`);
    expect(await command(["migrate"], { DATABASE_URL: url })).toMatchObject({ code: 0, err: "" });
  }
  const unchecked = withQuery(secure.url("contacts"), "sslmode=no-verify");
  expect(await command(["migrate"], { DATABASE_URL: unchecked })).toMatchObject({ code: 0, err: "" });
});

it("tells what there is to do next on a database without workspaces", async () => {
  await plain.run("create database fresh owner owner");
  const server = spawnServer("a start", {
    DATABASE_URL: owner("fresh"),
    PORT: String(await freePort()),
    LOG_LEVEL: "info",
  });
  await server.ready;
  expect(server.said()).toContain("There is no workspace yet: make one with");
  expect(server.said()).toMatch(/Contact Workspace \d+\.\d+\.\d+, with its data in the database fresh on 127\.0\.0\.1/);
  expect(server.said()).toMatch(/Migrated the database: applied 0001-tables, 0002-/);
  expect(server.said()).toMatch(/"Ran the migration \d{4}-[a-z-]+\.","durationMs":\d+/);
  expect(server.said()).not.toContain("w%23rd");
  await server.end("SIGTERM");
  const again = spawnServer("a second start", {
    DATABASE_URL: owner("fresh"),
    PORT: String(await freePort()),
    LOG_LEVEL: "info",
  });
  await again.ready;
  expect(again.said()).toContain("Contact Workspace");
  expect(again.said()).not.toContain("Migrated");
  await again.end("SIGTERM");
});

it("refuses a pooler that gives each transaction another session", async () => {
  const program = findOrInstall("pgbouncer", "pgbouncer");
  if (!("path" in program)) return;
  const port = await freePort();
  const config = folder.write(
    "pgbouncer.ini",
    `[databases]\n* = host=127.0.0.1 port=${plain.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = plain\nauth_file = ${folder.write("users.txt", `"owner" "${PASSWORD}"\n`)}\npool_mode = transaction\nunix_socket_dir =\nignore_startup_parameters = options,idle_in_transaction_session_timeout,statement_timeout,lock_timeout,extra_float_digits\n`,
  );
  spawnSync("chmod", ["-R", "a+rX", folder.path]);
  const { spawn } = await import("node:child_process");
  const pooler = spawn(program.path, ["-u", "postgres", config], { stdio: "ignore" });
  const url = owner("contacts").replace(`:${plain.port}/`, `:${port}/`);
  const { out } = await until(
    "the pooler answers",
    async () => {
      const ended = await command(["doctor"], { DATABASE_URL: url });
      return ended.out.includes("does not answer") || ended.out.includes("No PostgreSQL answers") ? undefined : ended;
    },
    30_000,
  );
  pooler.kill();
  expect(out).toMatch(
    /^FAILED database: A connection pooler in front of PostgreSQL gives each transaction another session/,
  );
});

describe("the folder of the embedded database", () => {
  it("is refused on a disk without room, and nothing is left there", async () => {
    const disk = join(folder.path, "tiny");
    mkdirSync(disk);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=30m", "tmpfs", disk]).status !== 0) return;
    try {
      const { code, err } = await command(["migrate"], { DATA_DIR: disk });
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/has 30 MiB of free space, and a new database needs 200: free some space/),
      });
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  it("that is a file is refused", async () => {
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    const { code, err } = await command(["migrate"], { DATA_DIR: file });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^DATA_DIR is ".*file", which cannot be written/),
    });
  });
});

it("refuses some services without a bus, on which nobody would reach them", async () => {
  const server = spawnServer("a start", { SERVICES: "people", DATABASE_URL: owner("contacts"), LOG_LEVEL: "fatal" });
  await expect(server.ready).rejects.toThrow(/^SERVICES leaves out changes, companies, .* but NATS_URL is not set/m);
});

it("does not take what answers there for a PostgreSQL", async () => {
  const other = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { code, err } = await command(["migrate"], { DATABASE_URL: `postgresql://a:b@127.0.0.1:${port}/c` });
  await new Promise((resolve) => other.close(resolve));
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /^The server at 127\.0\.0\.1, port \d+ (is not PostgreSQL|closed the connection).* correct DATABASE_URL\./,
    ),
  });
});

it("warns of a setting that is nearly one, and of fewer connections than a process may need", async () => {
  const variables = { DATABASE_URL: owner("crowd"), METRIC_PORT: "1", LOG_LEVEL: "warn" };
  const server = spawnServer("a start", { ...variables, PORT: String(await freePort()) });
  await server.ready;
  expect(server.said()).toContain(
    "METRIC_PORT is set, and is not a setting of this server. Did you mean METRICS_PORT?",
  );
  expect(server.said()).toContain(
    "PostgreSQL allows 17 connections, and a process opens 18 and more: raise max_connections",
  );
  await server.end("SIGTERM");
  const { out } = await command(["doctor"], variables);
  expect(out).toMatch(/^FAILED connections: PostgreSQL allows 17 connections/m);
});

it("says what is with NATS while it waits for it", async () => {
  const variables = { DATABASE_URL: owner("crowd"), NATS_URL: `nats://127.0.0.1:${NOBODYS_PORT}` };
  const server = spawnServer("a start", { ...variables, PORT: String(await freePort()) });
  await until(
    "it says so",
    () => server.said().includes(`Waiting for NATS: No NATS answers at 127.0.0.1:${NOBODYS_PORT} (`),
    30_000,
  );
  await server.end();
});
