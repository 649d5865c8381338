import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { openDatabase, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { beginPeriod, dropPeriods, makePeriodsFor, PERIOD_MS } from "../../../engine/events/periods.ts";
import { until } from "../../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { newestSeq, publishOne } from "../../support/events.ts";

// docs/guides/running.md#what-is-kept-how-long
const SIZE = 2 ** 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const workspaceId = newUuid();
let test: TestDatabase;

beforeEach(async () => {
  test = await testDatabase();
});

afterEach(() => test.drop());

const read: Query = (...statement) => test.database.read(...statement);
const begin = () => test.database.transaction((trx) => beginPeriod((...statement) => run(trx, ...statement)));
const write = async () => (await publishOne(test.database, workspaceId, {})).position;
const periodOf = (seq: number) => Math.floor(seq / SIZE);

async function partitions(): Promise<string[]> {
  const rows = await read<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'change_log'::regclass
     order by length(inhrelid::regclass::text), 1`,
    [],
  );
  return rows.map(({ name }) => name);
}

/** The tables of the log, with those that are taken out of it. */
async function tables(): Promise<string[]> {
  const rows = await read<{ name: string }>(
    "select tablename as name from pg_tables where tablename ~ '^change_log_' order by 1",
    [],
  );
  return rows.map(({ name }) => name);
}

/** When each period began, in days before now. */
async function setBegan(daysAgo: Record<number, number>): Promise<void> {
  const began = Object.entries(daysAgo).map(([period, days]) => [period, new Date(Date.now() - days * DAY_MS)]);
  await read("update settings set value = $1::jsonb where name = 'change_log_periods'", [
    JSON.stringify(Object.fromEntries(began)),
  ]);
}

async function began(): Promise<Record<string, string>> {
  const [row] = await read<{ value: Record<string, string> }>(
    "select value from settings where name = 'change_log_periods'",
    [],
  );
  return row?.value ?? {};
}

/** A log whose entries stand in these periods, of which the last one is the present. */
async function fill(last: number): Promise<void> {
  await makePeriodsFor(read, last * SIZE);
  for (let period = 1; period <= last; period += 1) {
    await read("select setval('change_log_seq', $1)", [period * SIZE]);
    await write();
  }
}

const kept = async () =>
  (await read<{ seq: number }>("select seq::float8 as seq from change_log order by seq", [])).map(({ seq }) =>
    periodOf(seq),
  );

describe("The partitions of the log", () => {
  it("are there for this period and the next two", async () => {
    expect(periodOf(await newestSeq(test.database))).toBe(1);
    expect(await partitions()).toEqual(["change_log_1", "change_log_2", "change_log_3", "change_log_before"]);
  });

  it("are made for entries of a backup up to two periods behind them, once", async () => {
    await makePeriodsFor(read, 4 * SIZE + 12);
    const made = ["change_log_1", "change_log_2", "change_log_3", "change_log_4", "change_log_5", "change_log_6"];
    expect(await partitions()).toEqual([...made, "change_log_before"]);
    await makePeriodsFor(read, 4 * SIZE + 12);
    expect(await partitions()).toEqual([...made, "change_log_before"]);
    await read("select setval('change_log_seq', $1)", [6 * SIZE]);
    expect(await write()).toBe(6 * SIZE + 2);
    const duplicate = read("insert into change_log select * from change_log where workspace_id = $1", [workspaceId]);
    await expect(duplicate).rejects.toThrow("duplicate key");
  });

  it("are made without waiting for a write, and no write waits for them", async () => {
    await test.database.transaction(async (trx) => {
      await publishOne({ read: (...statement) => run(trx, ...statement) }, workspaceId, {});
      await test.database.transaction(async (other) => {
        await makePeriodsFor((...statement) => run(other, ...statement), 4 * SIZE);
        await write();
        await publishOne({ read: (...statement) => run(trx, ...statement) }, workspaceId, {});
      });
    });
    expect(await kept()).toEqual([1, 1, 1]);
  });
});

describe("A new period", () => {
  it("begins a week after the one before, and the numbers go on with its first one", async () => {
    const first = await write();
    expect(periodOf(first)).toBe(1);
    await setBegan({ 1: 6.9 });
    expect([await begin(), await newestSeq(test.database)]).toEqual([false, first]);
    await setBegan({ 1: PERIOD_MS / DAY_MS });
    const before = Date.now();
    expect(await begin()).toBe(true);
    expect(await write()).toBe(2 * SIZE + 2);
    expect(await partitions()).toContain("change_log_4");
    const { 1: old = "", 2: at = "" } = await began();
    expect(Date.parse(at) - Date.parse(old)).toBeGreaterThanOrEqual(PERIOD_MS);
    expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000);
    expect(await begin()).toBe(false);
  });

  it("does not begin while the one before has no entries", async () => {
    await setBegan({ 1: 100 });
    expect(await begin()).toBe(false);
    expect(periodOf(await newestSeq(test.database))).toBe(1);
    await write();
    expect(await begin()).toBe(true);
  });

  it("begins once, when several processes look at once", async () => {
    await write();
    await setBegan({ 1: 8 });
    await Promise.all([begin(), begin(), begin()]);
    expect(await newestSeq(test.database)).toBe(2 * SIZE);
    expect(Object.keys(await began())).toEqual(["1", "2"]);
  });

  it("begins while writes are open, whose entries stay in the one before, and a reader passes over none", async () => {
    await write();
    await setBegan({ 1: 8 });
    const settled = async () => {
      const [row] = await read<{ through: number }>(
        "select through::float8 as through from log_settled(array[$1::uuid])",
        [workspaceId],
      );
      return row?.through ?? 0;
    };
    await test.database.transaction(async (trx) => {
      const { position } = await publishOne({ read: (...statement) => run(trx, ...statement) }, workspaceId, {});
      expect(await begin()).toBe(true);
      expect(periodOf(await write())).toBe(2);
      expect(await settled()).toBeLessThan(position);
    });
    expect(await settled()).toBe(2 * SIZE + 2);
    expect(await kept()).toEqual([1, 1, 2]);
  });

  it("is noted when the numbers have come there by themselves, or with a backup, and gets partitions behind it", async () => {
    await setBegan({ 1: 3 });
    await read("select setval('change_log_seq', $1)", [3 * SIZE - 2]);
    for (let i = 0; i < 3; i += 1) await write();
    expect(await begin()).toBe(false);
    expect(Math.abs(Date.parse((await began())[3] ?? "") - Date.now())).toBeLessThan(60_000);
    expect(await partitions()).toContain("change_log_5");
    expect(await newestSeq(test.database)).toBe(3 * SIZE + 4);
  });
});

// docs/decisions/0013-events.md#long-texts
describe("The long texts of the log", () => {
  const textsIn = async () =>
    (await read<{ name: string }>("select tableoid::regclass::text as name from log_texts order by 1", [])).map(
      ({ name }) => name,
    );
  const append = () => {
    const changes = [{ path: ["description"], before: null, after: "x".repeat(3_000) }];
    return appendToLog(read, { workspaceId }, [{ type: "person.updated", recordId: workspaceId, body: { changes } }]);
  };

  it("stand in the period of the moment, once in each, and go a period later than the entries", async () => {
    await makePeriodsFor(read, 4 * SIZE);
    for (let period = 1; period <= 4; period += 1) {
      await read("select setval('change_log_seq', $1)", [period * SIZE]);
      await append();
      await append();
    }
    expect(await textsIn()).toEqual([1, 2, 3, 4].map((period) => `log_texts_${period}`));
    await setBegan({ 1: 40, 2: 33, 3: 32, 4: 1 });
    const dropped = await dropPeriods(test.database.queryPlanned, 30 * DAY_MS);
    expect(dropped).toEqual(["change_log_before", "change_log_1", "change_log_2", "log_texts_1"]);
    expect(await kept()).toEqual([3, 3, 4, 4]);
    expect(await textsIn()).toEqual([2, 3, 4].map((period) => `log_texts_${period}`));
  });

  it("have a partition in each new period", async () => {
    await write();
    await setBegan({ 1: 8 });
    expect(await begin()).toBe(true);
    await append();
    expect(await textsIn()).toEqual(["log_texts_2"]);
    await read("select setval('change_log_seq', $1)", [4 * SIZE]);
    await append();
    expect(await textsIn()).toEqual(["log_texts_2", "log_texts_4"]);
  });
});

describe("Old periods", () => {
  it("are dropped when all their entries are old enough, with what was written before the log", async () => {
    await fill(4);
    await read(
      `insert into change_log (workspace_id, seq, id, type, record_id, source, body)
       values ($1, 7, $1, 'person.created', $1, 'api', '{}')`,
      [workspaceId],
    );
    await setBegan({ 1: 28, 2: 21, 3: 14, 4: 7 });
    expect(await dropPeriods(test.database.queryPlanned, 29 * DAY_MS)).toEqual([]);
    expect(await dropPeriods(test.database.queryPlanned, 25 * DAY_MS)).toEqual(["change_log_before"]);
    expect(await kept()).toEqual([1, 2, 3, 4]);
    // Period 2 began longer ago, so what stands in period 1 is older still. Its own entries may be younger.
    expect(await dropPeriods(test.database.queryPlanned, 20 * DAY_MS)).toEqual(["change_log_1"]);
    expect(await kept()).toEqual([2, 3, 4]);
    expect(await dropPeriods(test.database.queryPlanned, 20 * DAY_MS)).toEqual([]);
    expect(await tables()).toEqual([2, 3, 4, 5, 6].map((period) => `change_log_${period}`));
  });

  it("are all dropped but the present one, when nothing was written for long", async () => {
    await fill(3);
    await setBegan({ 1: 400, 2: 390, 3: 380 });
    expect(await dropPeriods(test.database.queryPlanned, 30 * DAY_MS)).toEqual([
      "change_log_before",
      "change_log_1",
      "change_log_2",
      "log_texts_1",
    ]);
    expect(await kept()).toEqual([3]);
    expect(periodOf(await write())).toBe(3);
  });

  it("are dropped while writes go on", async () => {
    await fill(3);
    await setBegan({ 1: 40, 2: 33, 3: 1 });
    let dropping: Promise<string[]> | undefined;
    await test.database.transaction(async (trx) => {
      // A write that is open when it begins is waited for, without a lock that others would wait for.
      await publishOne({ read: (...statement) => run(trx, ...statement) }, workspaceId, {});
      dropping = dropPeriods(test.database.queryPlanned, 30 * DAY_MS);
      await until("it has begun", async () => {
        const sql =
          "select from pg_stat_activity where datname = current_database() and query like 'alter table change_log detach%'";
        const rows = await read(sql, []);
        return rows.length > 0;
      });
      await write();
      await publishOne({ read: (...statement) => run(trx, ...statement) }, workspaceId, {});
    });
    expect(await dropping).toEqual(["change_log_before", "change_log_1"]);
    expect(await kept()).toEqual([2, 3, 3, 3, 3]);
  });

  it("are dropped to the end, when a process was killed that had begun", async () => {
    await fill(3);
    await setBegan({ 1: 40, 2: 33, 3: 1 });
    const doomed = await openDatabase(test.url, { applicationName: "doomed" });
    await test.database.transaction(async (trx) => {
      await run(trx, "select from change_log limit 1");
      const killed = expect(dropPeriods(doomed.queryPlanned, 30 * DAY_MS)).rejects.toThrow();
      await until("it waits for somebody who reads", async () => {
        const rows = await read("select from pg_inherits where inhdetachpending", []);
        return rows.length > 0;
      });
      await read(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'doomed%' and query like 'alter table change_log%' and datname = current_database()`,
        [],
      );
      await killed;
    });
    await doomed.close();
    expect(await dropPeriods(test.database.queryPlanned, 30 * DAY_MS)).toEqual(["change_log_before", "change_log_1"]);
    expect(await kept()).toEqual([2, 3]);
  });

  it("are dropped, when a process was killed that had taken one out of the log already", async () => {
    await fill(3);
    await setBegan({ 1: 40, 2: 33, 3: 1 });
    await read("alter table change_log detach partition change_log_1", []);
    expect(await dropPeriods(test.database.queryPlanned, 30 * DAY_MS)).toEqual(["change_log_before", "change_log_1"]);
    expect(await tables()).toEqual([2, 3, 4, 5].map((period) => `change_log_${period}`));
  });

  it("are dropped once, when several processes look at once", async () => {
    await fill(3);
    await setBegan({ 1: 40, 2: 33, 3: 1 });
    const looks = [1, 2, 3].map(() => dropPeriods(test.database.queryPlanned, 30 * DAY_MS));
    // One that comes when another has begun fails, and looks again after an hour.
    const dropped = await Promise.allSettled(looks);
    expect(dropped.map(({ status }) => status)).toContain("fulfilled");
    expect(await tables()).toEqual([2, 3, 4, 5].map((period) => `change_log_${period}`));
    expect(await kept()).toEqual([2, 3]);
  });
});
