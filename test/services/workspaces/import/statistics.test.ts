import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { until } from "../../../../lab/harness/until.ts";
import { refreshStatistics } from "../../../../services/workspaces/workspaces/workspaces.service.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";

// docs/guides/import.md#large-files
let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it("lets PostgreSQL look at tables that have grown by more than half, and at no others", async () => {
  const { database } = test;
  const fill = (table: string, rows: number) =>
    database.read(`insert into ${table} select n from generate_series(1, ${rows}) n`);
  for (const table of ["grown", "small"]) await database.read(`create table ${table} (n int)`);
  await fill("grown", 2000);
  await fill("small", 20);
  const known = async () => {
    const rows = await database.read<{ name: string; rows: number }>(
      "select relname as name, reltuples::int as rows from pg_class where relname in ('grown', 'small')",
    );
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
  };
  // What a connection has written is counted a moment later.
  const refresh = async () => {
    await database.read("select pg_stat_force_next_flush()");
    await refreshStatistics((sql, values) => database.queryPlanned(sql, values));
  };

  await until("it was looked at", async () => {
    await refresh();
    return (await known()).grown === 2000;
  });
  await fill("grown", 500);
  await refresh();
  expect(await known()).toEqual({ grown: 2000, small: -1 });

  await fill("grown", 2000);
  await until("it was looked at again", async () => {
    await refresh();
    return (await known()).grown === 4500;
  });
});
