import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { isUnavailable, openDatabase, run, violatedConstraint } from "../../database/database.ts";
import { until } from "../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await test.database.knex.raw("create table slips (id int primary key, body text)");
});

afterAll(() => test.drop());

it("reads dates as text, int8 as a number, and int8 beyond the safe integers as text", async () => {
  const [row] = await test.database.read(
    "select date '2020-02-03' as day, 7::int8 as small, 9007199254740993 as large, '{1,2}'::int8[] as list",
  );
  expect(row).toEqual({ day: "2020-02-03", small: 7, large: "9007199254740993", list: [1, 2] });
});

it("reads again after its backend was killed, and rejects what was outstanding as unavailable", async () => {
  const [{ pid } = { pid: 0 }] = await test.database.read<{ pid: number }>("select pg_backend_pid() as pid");
  const outstanding = test.database.read("select pg_sleep(1)").catch((error: unknown) => error);
  await test.database.knex.raw("select pg_terminate_backend(?)", [pid]);
  expect(isUnavailable(await outstanding)).toBe(true);
  expect(await test.database.read("select 1 as one")).toEqual([{ one: 1 }]);
});

it("survives the loss of idle connections of the pool", async () => {
  await test.database.knex.raw("select 1");
  await onOtherBackends("pg_terminate_backend");
  await until("the pool has noticed", () => test.database.knex.raw("select 1"));
  expect(await test.database.read("select 1 as one")).toEqual([{ one: 1 }]);
});

it("keeps the error of one pipelined statement away from those beside it", async () => {
  const results = await Promise.allSettled([
    test.database.read("select 1 as n"),
    test.database.read("select 1 / $1::int", [0]),
    test.database.read("select 2 as n"),
  ]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

it("runs a statement whose first attempts failed to parse once its table exists", async () => {
  const sql = "select count(*)::int as n from later";
  const tooEarly = await Promise.allSettled([
    test.database.read(sql),
    test.database.read(sql),
    test.database.read(sql),
  ]);
  expect(tooEarly.map((result) => (result.status === "rejected" ? result.reason.code : "fulfilled"))).toEqual(
    Array(3).fill("42P01"),
  );
  await test.database.knex.raw("create table later (id int)");
  expect(await Promise.all([test.database.read(sql), test.database.read(sql)])).toEqual([[{ n: 0 }], [{ n: 0 }]]);
});

it("goes on reading when a migration changes the columns of a prepared statement", async () => {
  const sql = "select * from widened";
  await test.database.knex.raw("create table widened (id int); insert into widened values (1)");
  await test.database.read(sql);
  await test.database.transaction((trx) => run(trx, sql));
  await test.database.knex.raw("alter table widened add column name text default 'x'");
  expect(await test.database.read(sql)).toEqual([{ id: 1, name: "x" }]);
  expect(await test.database.transaction((trx) => run(trx, sql))).toEqual([{ id: 1, name: "x" }]);
});

it("goes on reading while ever new statements wear out their connection", async () => {
  const pids = new Set<number>();
  for (let group = 0; group < 9; group += 1) {
    const texts = Array.from({ length: 100 }, (_, at) => `select pg_backend_pid() as pid, ${group * 100 + at} as n`);
    const rows = await Promise.all(texts.map((text) => test.database.read<{ pid: number; n: number }>(text)));
    expect(rows.map(([row]) => row?.n)).toEqual(texts.map((_, at) => group * 100 + at));
    for (const [row] of rows) if (row) pids.add(row.pid);
  }
  expect(pids.size).toBeGreaterThan(1);
});

it("lets the statements of one lane wait for each other, and those of other lanes and the reader go on", async () => {
  const { database } = test;
  await database.knex.raw("create table blocked (id int)");
  await database.transaction(async (trx) => {
    await trx.raw("lock table blocked in access exclusive mode");
    const behind = ["select 1 as n", "select count(*)::int as n from blocked", "select 2 as n"].map((sql) =>
      database.sharedConnection("a").read<{ n: number }>(sql),
    );
    const order: string[] = [];
    const noted = behind.map((answer, at) => answer.then(() => order.push(`a${at}`)));
    await noted[0];
    await database.sharedConnection("b").read("select 1");
    await database.read("select 1");
    order.push("others");
    await trx.raw("commit; begin");
    await Promise.all(noted);
    expect(order).toEqual(["a0", "others", "a1", "a2"]);
  });
});

it("gives the rows of the statements that open a transaction, which are undone with it", async () => {
  const opening = [
    { text: "select 1 as one", values: [] },
    { text: "savepoint before", values: [] },
    { text: "select $1 as text", values: ["it's"] },
  ];
  const opened = await test.database.transaction(async ({ opened }) => opened, { opening });
  expect(opened).toEqual([[{ one: 1 }], [], [{ text: "it's" }]]);
  const undone = test.database.transaction(() => Promise.reject(new Error("no")), {
    opening: [{ text: "create table undone (id int)", values: [] }],
  });
  await expect(undone).rejects.toThrow("no");
  await expect(test.database.read("select 1 from undone")).rejects.toMatchObject({ code: "42P01" });
});

it("tells of statements that were sent together why the first of them failed", async () => {
  const failed = test.database.transaction((trx) => {
    // The failure of the first takes one promise more to arrive here, so that of the second arrives before it.
    const first = Promise.resolve(run(trx, "select 1/0"));
    return Promise.all([first.then((rows) => rows), run(trx, "select 1")]);
  });
  await expect(failed).rejects.toMatchObject({ code: "22012" });
});

it("begins a transaction anew, without what it did before", async () => {
  await test.database.knex.schema.createTable("restarts", (table) => table.text("note"));
  const rows = await test.database.transaction(async (trx) => {
    await trx.raw("insert into restarts values ('before')");
    // Also one that has failed.
    await trx.raw("select 1/0").catch(() => undefined);
    const begun = await trx.restart(["select count(*)::int as left from restarts", "select 2 as two"]);
    await trx.raw("insert into restarts values ('after')");
    return begun;
  });
  expect(rows).toEqual([[{ left: 0 }], [{ two: 2 }]]);
  expect(await test.database.read("select note from restarts")).toEqual([{ note: "after" }]);
});

it("prepares statements of a transaction under a name and leaves question marks alone", async () => {
  const sql = `select '{"a":1}'::jsonb ? 'a' as has, $1::text as value, '\\?' as escaped`;
  const [row, [prepared]] = await test.database.transaction(async (trx) => [
    (await run(trx, sql, ["why?"]))[0],
    await run<{ n: number }>(trx, "select count(*)::int as n from pg_prepared_statements where statement = $1", [sql]),
  ]);
  expect(row).toEqual({ has: true, value: "why?", escaped: "\\?" });
  expect(prepared).toEqual({ n: 1 });
});

it("plans what is always asked the same way once, and filters for their very values", async () => {
  const sql = "select n from unnest($1::int[]) n limit $2";
  const plans = `select custom_plans::int as custom, generic_plans::int as generic
    from pg_prepared_statements where statement = '${sql}'`;
  // Left to itself PostgreSQL would plan each of these for its values.
  for (const n of [1, 2, 3]) await test.database.read(sql, [[n], 1]);
  expect(await test.database.read(plans)).toEqual([{ custom: 0, generic: 3 }]);
  const inTransaction = await test.database.transaction(async (trx) => {
    for (const n of [1, 2, 3]) await run(trx, sql, [[n], 1]);
    return run<{ custom: number }>(trx, plans);
  });
  expect(inTransaction).toEqual([expect.objectContaining({ custom: 0 })]);
  // On the pool of filters they are prepared as well, and planned each time they run.
  for (const n of [1, 2, 3, 4, 5, 6]) await test.database.queryPlanned(sql, [[n], 1]);
  const alone = await test.database.queryPlanned<{ custom: number; generic: number }>(plans);
  expect(alone.every(({ generic }) => generic === 0)).toBe(true);
  expect(alone.length).toBeGreaterThan(0);
});

it("runs the work of a deadlocked transaction again", async () => {
  await test.database.knex("slips").insert([{ id: 1 }, { id: 2 }]);
  let attempts = 0;
  let waiting = 0;
  const lockBoth = (first: number, second: number) =>
    test.database.transaction(async (trx) => {
      attempts += 1;
      await run(trx, "update slips set body = 'locked' where id = $1", [first]);
      waiting += 1;
      await until("both hold their first row, or this is the retry", () => waiting >= 2);
      await run(trx, "update slips set body = 'locked' where id = $1", [second]);
    });
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
  expect(attempts).toBe(3);
});

it("retries serialization failures three times and the given codes, and nothing else", async () => {
  const attemptsOn = async (code: string, retryOn: string[] = []) => {
    let attempts = 0;
    const work = async (trx: Parameters<Parameters<typeof test.database.transaction>[0]>[0]) => {
      attempts += 1;
      await trx.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`);
    };
    await expect(test.database.transaction(work, { retryOn })).rejects.toMatchObject({ code });
    return attempts;
  };
  expect(await attemptsOn("40001")).toBe(4);
  expect(await attemptsOn("23505", ["23505"])).toBe(4);
  expect(await attemptsOn("23505")).toBe(1);
});

it("refuses to commit when the work has swallowed the error of a statement", async () => {
  const work = test.database.transaction(async (trx) => {
    await run(trx, "insert into slips (id) values (77)");
    await run(trx, "select 1 / 0").catch(() => undefined);
  });
  await expect(work).rejects.toThrow("swallowed");
});

it("names the violated constraint, and knows a refused statement from an absent database", async () => {
  await test.database.read("insert into slips (id) values (5)");
  const refused = await test.database.read("insert into slips (id) values (5)").catch((error: unknown) => error);
  expect(violatedConstraint(refused)).toBe("slips_pkey");
  expect(isUnavailable(refused)).toBe(false);
  expect(isUnavailable(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }))).toBe(true);
});

it("gives up a statement that blocks the pipeline, and a wait for a connection when the pool is used up", async () => {
  const slow = await test.database.read("select pg_sleep(4)").catch((error: unknown) => error);
  expect(slow).toMatchObject({ code: "57014" });
  expect(isUnavailable(slow)).toBe(true);

  const freed: (() => void)[] = [];
  // One more than for requests: that is for what is done in the background.
  const count = test.database.poolMax - test.database.aloneMax + 1;
  const holders = Array.from({ length: count }, () =>
    test.database.transaction(() => new Promise<void>((free) => freed.push(free))),
  );
  await until("every connection is taken", () => freed.length === count);
  const begun = Date.now();
  const waited = await test.database.transaction((trx) => run(trx, "select 1")).catch((error: unknown) => error);
  expect(isUnavailable(waited)).toBe(true);
  // After a second, and what a busy machine adds.
  expect(Date.now() - begun).toBeLessThan(10_000);
  for (const free of freed) free();
  await Promise.all(holders);
});

it("reports a transaction whose connection is lost as unavailable", async () => {
  const lost = test.database.transaction(async (trx) => {
    await run(trx, "select 1");
    await onOtherBackends("pg_terminate_backend");
    await run(trx, "select 2");
  });
  expect(isUnavailable(await lost.catch((error: unknown) => error))).toBe(true);
  expect(await test.database.transaction((trx) => run(trx, "select 3 as n"))).toEqual([{ n: 3 }]);
});

it.each([1, 2, 3])("rejects at once when there are only %d connections, and leaves none behind", async (count) => {
  const name = `${new URL(test.url).pathname.slice(1)}_${count}`;
  await test.database.knex.raw(`create role ${name} login connection limit ${count}`);
  const url = Object.assign(new URL(test.url), { username: name }).href;
  const failed = await openDatabase(url).catch((error: unknown) => error);
  expect(isUnavailable(failed)).toBe(true);
  await until("all are closed", async () => {
    const rows = await test.database.read("select from pg_stat_activity where usename = $1", [name]);
    return rows.length === 0;
  });
  await test.database.knex.raw(`drop role ${name}`);
});

async function onOtherBackends(action: string): Promise<void> {
  await test.database.read(
    `select ${action}(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
