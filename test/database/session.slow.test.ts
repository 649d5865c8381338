import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Database, openDatabase } from "../../database/database.ts";
import { command } from "../../lab/harness/command.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { type ServerProcess, spawnServer } from "../../lab/harness/server-process.ts";
import { type Client, client } from "../support/client.ts";
import { PATIENT } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { type OwnPostgres, postgres15, startPostgres } from "../support/postgres.ts";

const bin = postgres15();
if (bin === undefined && process.env.CI === "true")
  throw new Error("The tests of PostgreSQL 15 cannot run: install the package postgresql-15.");

const ROLE = "contacts";
const PASSWORD = "secret";
/** Settings of a role that change the meaning, the cost or the time limits of statements. */
const OF_THE_ROLE: Record<string, string> = {
  jit: "on",
  // Every statement that is planned would be compiled.
  jit_above_cost: "0",
  statement_timeout: "400ms",
  lock_timeout: "1ms",
  idle_in_transaction_session_timeout: "1s",
  idle_session_timeout: "1s",
  default_transaction_isolation: "serializable",
  plan_cache_mode: "force_generic_plan",
  timezone: "America/New_York",
  datestyle: "German",
  intervalstyle: "iso_8601",
  extra_float_digits: "-10",
  bytea_output: "escape",
  standard_conforming_strings: "off",
  array_nulls: "off",
  quote_all_identifiers: "on",
  gin_fuzzy_search_limit: "1",
};
const WORKSPACE =
  'workspace: acme\nname: Acme\nusers:\n  - { email: ada@acme.test, fullName: "Ada", role: admin }\ngroups: []\n';

/** Rules: docs/guides/database.md#settings-of-postgresql */
(bin === undefined ? describe.skip : describe)("On Debian's PostgreSQL 15, for a role with settings of its own", () => {
  const folder = testFolder();
  let postgres: OwnPostgres;
  let server: ServerProcess;
  let base: string;
  let database: Database;
  let api: Client;
  let variables: { DATABASE_URL: string };

  beforeAll(async () => {
    postgres = await startPostgres({ bin, settings: { shared_preload_libraries: "pg_stat_statements" } });
    await postgres.run("create extension pg_stat_statements");
    await postgres.run(`create role ${ROLE} login password '${PASSWORD}'`);
    await postgres.run(`create database ${ROLE} owner ${ROLE}`);
    for (const [name, value] of Object.entries(OF_THE_ROLE))
      await postgres.run(`alter role ${ROLE} set ${name} = '${value}'`);
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    variables = { DATABASE_URL: postgres.url(ROLE, ROLE, PASSWORD) };
    server = spawnServer("PostgreSQL 15", { ...TEST_ENV, ...variables, PORT: String(port) });
    await server.ready;
    database = await openDatabase(variables.DATABASE_URL, { applicationName: "test", poolMax: 4, waits: PATIENT });
  });

  afterAll(async () => {
    await database.close();
    await server.end("SIGTERM");
    await postgres.stop();
    folder.remove();
  });

  it("writes and reads values as anywhere else", async () => {
    const applied = await command(["apply", folder.write("acme.yaml", WORKSPACE)], variables);
    expect(applied).toMatchObject({ code: 0 });
    const made = await command(["keys", "create", "--workspace", "acme", "--user", "ada@acme.test"], variables);
    const key = made.out.trim();
    api = client({ base, publicUrl: TEST_ENV.PUBLIC_URL, database, stop: server.end }, key);
    const { data: person } = await api.post("/v1/people", { fullName: 'Ada \\d "L"', birthday: "1815-12-10" });
    const { data: found } = await api.get(`/v1/people/${person.id}`);
    expect(found).toMatchObject({ fullName: 'Ada \\d "L"', birthday: "1815-12-10" });
    expect(found.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    await api.patch(`/v1/people/${person.id}`, { jobTitle: "Countess" });
  });

  it("passes all checks of doctor", async () => {
    const { out } = await command(["doctor"], variables);
    expect(out.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([]);
  });

  it("has no statement compiled, neither of requests nor of commands", async () => {
    for (const path of ["/v1/events?limit=20", "/v1/people?limit=20", "/v1/people?filter[fullName][like]=ada"])
      for (let i = 0; i < 7; i++) expect(await api.get(path)).toMatchObject({ status: 200 });
    for (const path of ["/v1/notes", "/v1/groups", "/v1/webhooks", "/v1/companies", "/v1/request-logs"])
      expect(await api.get(path)).toMatchObject({ status: 200 });
    expect(await command(["backup", "--output", join(folder.path, "saved.zip")], variables)).toMatchObject({ code: 0 });
    const [row] = (await postgres.run(
      `select count(*)::int as statements from pg_stat_statements where userid = '${ROLE}'::regrole`,
    )) as { statements: number }[];
    expect(row?.statements).toBeGreaterThan(50);
    const compiled = await postgres.run(
      `select left(query, 80) as query, jit_functions from pg_stat_statements
       where userid = '${ROLE}'::regrole and jit_functions > 0`,
    );
    expect(compiled).toEqual([]);
  });
});
