import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { openDatabase, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import {
  beginPeriod,
  DELIVERIES,
  dropPeriods,
  makePeriod,
  type Periods,
  savedResponses,
} from "../../../engine/periods/periods.ts";
import { until } from "../../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

// docs/guides/running.md#what-is-kept-how-long
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RESPONSES = savedResponses(DAY_MS / 1000);
const workspaceId = newUuid();
let test: TestDatabase;

beforeEach(async () => {
  test = await testDatabase();
  await read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [workspaceId]);
  await read(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
     values ($1, $1, now(), $1, 'w', 'https://x.test', '[]', 'active', '', '', 0)`,
    [workspaceId],
  );
});

afterEach(() => test.drop());

const read: Query = (...statement) => test.database.read(...statement);
const make = (periods: Periods, number: number) =>
  test.database.transaction((trx) => makePeriod((...statement) => run(trx, ...statement), periods, number));
const begin = (periods: Periods) => beginPeriod(test.database, periods);
const drop = (periods: Periods) => dropPeriods(test.database, periods);

/** Writes a delivery of the present period. By default it is of a webhook that exists. */
const deliver = (name: string, status = "succeeded", query = read, webhookId = workspaceId) =>
  query(
    `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
     values ($1, $2, $5, $1, $3, $1, $4, now())`,
    [workspaceId, newUuid(), name, status, webhookId],
  );

/** Saves a response in the present period, which expires in so many milliseconds. */
const save = (key: string, leftMs = -1) =>
  read(
    `insert into saved_responses (workspace_id, user_id, key, fingerprint, status, expires_at)
     values ($1, $1, $2, 'f', 200, now() + $3 * interval '1 ms')`,
    [workspaceId, key, leftMs],
  );

async function partitions({ table }: Periods): Promise<string[]> {
  const rows = await read<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::text::regclass order by 1",
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Makes periods that began so long ago the present ones, one after the other, and runs work in each. */
async function go(periods: Periods, agesMs: number[], work: (i: number) => Promise<unknown>): Promise<string[]> {
  const begun = agesMs.map((ageMs) => Date.now() - ageMs);
  for (const [i, number] of begun.entries()) {
    await make(periods, number);
    await read("select setval($1::text::regclass, $2)", [`${periods.table}_period`, number]);
    await work(i);
  }
  return begun.map((number) => `${periods.table}_${number}`);
}

async function presentOf({ table }: Periods): Promise<number> {
  const [row] = await read<{ number: number }>(`select last_value::float8 as number from ${table}_period`, []);
  return row?.number ?? 0;
}

/** Names of the deliveries that are there → their periods. */
async function deliveries(): Promise<Record<string, number>> {
  const rows = await read<{ name: string; period: number }>(
    "select event_type as name, period::float8 as period from deliveries order by 1",
    [],
  );
  return Object.fromEntries(rows.map(({ name, period }) => [name, period]));
}

async function keys(): Promise<string[]> {
  return (await read<{ key: string }>("select key from saved_responses order by 1", [])).map(({ key }) => key);
}

const INSERT: Record<string, () => Promise<unknown>> = {
  deliveries: () => deliver("x"),
  saved_responses: () => save("x"),
};

describe.each([
  ["deliveries", DELIVERIES, 7 * DAY_MS],
  ["saved responses", RESPONSES, DAY_MS],
])("A period of %s", (_, periods, lengthMs) => {
  const insert = () => INSERT[periods.table]?.();

  it("begins when the one before is old enough and has rows, by the clock of the database", async () => {
    await go(periods, [lengthMs - HOUR_MS], async () => insert());
    expect(await begin(periods)).toBe(false);
    await go(periods, [lengthMs], async () => undefined);
    expect(await begin(periods)).toBe(false);
    await insert();
    const before = await presentOf(periods);
    expect(await begin(periods)).toBe(true);
    const present = await presentOf(periods);
    expect(present - before).toBeGreaterThanOrEqual(lengthMs);
    expect(Math.abs(present - Date.now())).toBeLessThan(60_000);
    expect(await partitions(periods)).toContain(`${periods.table}_${present}`);
    expect(await begin(periods)).toBe(false);
  });

  it("begins once, when several processes look at once", async () => {
    await go(periods, [2 * lengthMs], async () => insert());
    await Promise.all([begin(periods), begin(periods), begin(periods)]);
    const present = `${periods.table}_${await presentOf(periods)}`;
    expect((await partitions(periods)).filter((name) => /_\d+$/.test(name)).at(-1)).toBe(present);
    expect(await begin(periods)).toBe(false);
  });

  it("takes rows however long no other has begun", async () => {
    await go(periods, [1000 * DAY_MS], async () => insert());
    expect((await partitions(periods)).length).toBe(2);
  });
});

describe("A period", () => {
  it("begins without waiting for a write, and no write waits for it", async () => {
    await go(DELIVERIES, [8 * DAY_MS], () => deliver("first"));
    await test.database.transaction(async (trx) => {
      const inside: Query = (...statement) => run(trx, ...statement);
      await deliver("before", "pending", inside);
      expect(await begin(DELIVERIES)).toBe(true);
      await deliver("after");
    });
    const { first, before, after } = await deliveries();
    expect(before).toBe(first);
    expect(after).toBe(await presentOf(DELIVERIES));
    expect(after).not.toBe(first);
  });

  it("does not begin when the process was held up until its number is old", async () => {
    await go(DELIVERIES, [8 * DAY_MS], () => deliver("first"));
    const { queryPlanned, transaction } = test.database;
    const slow = {
      transaction,
      queryPlanned: async <Row>(sql: string, values?: readonly unknown[]) => {
        const late = sql.includes("setval") ? values?.map((v) => (typeof v === "number" ? v - 2 * 60_000 : v)) : values;
        return queryPlanned<Row>(sql, late);
      },
    };
    const before = await presentOf(DELIVERIES);
    expect(await beginPeriod(slow, DELIVERIES)).toBe(false);
    expect(await presentOf(DELIVERIES)).toBe(before);
    expect(await begin(DELIVERIES)).toBe(true);
  });
});

describe("Old deliveries", () => {
  it("are dropped with their period 30 days after the next one has begun, in any status but pending", async () => {
    const [first = "", second, third] = await go(DELIVERIES, [38 * DAY_MS, 31 * DAY_MS, 29 * DAY_MS], async (i) => {
      // The release before leaves those of a deleted webhook.
      if (i === 0) await deliver("0 of a deleted webhook", "pending", read, newUuid());
      for (const status of ["succeeded", "failed", "cancelled", "pending"]) await deliver(`${i} ${status}`, status);
    });
    expect(await drop(DELIVERIES)).toEqual([first]);
    expect(await partitions(DELIVERIES)).toEqual(["deliveries_before", second, third].sort());
    const left = await deliveries();
    expect(Object.keys(left).filter((name) => name.startsWith("0"))).toEqual(["0 pending"]);
    expect(Object.keys(left)).toHaveLength(1 + 4 + 4);
    // It was taken along.
    expect(left["0 pending"]).toBe(await presentOf(DELIVERIES));
    expect(await drop(DELIVERIES)).toEqual([]);
  });

  it("stay in the present period, however old that is", async () => {
    await go(DELIVERIES, [400 * DAY_MS], () => deliver("old"));
    expect(await drop(DELIVERIES)).toEqual([]);
    expect(Object.keys(await deliveries())).toEqual(["old"]);
  });

  it("are dropped while writes go on, and pending ones that change meanwhile are not lost", async () => {
    const ages = [45 * DAY_MS, 38 * DAY_MS, DAY_MS];
    const [first] = await go(DELIVERIES, ages, async (i) => {
      await read(
        `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
         select $1, gen_random_uuid(), $1, $1, $2 || ' ' || n, $1, case when n % 2 = 0 then 'pending' else 'failed' end, now()
         from generate_series(1, 500) n`,
        [workspaceId, String(i)],
      );
    });
    let isOver = false;
    let tries = 0;
    const dropping = drop(DELIVERIES).finally(() => {
      isOver = true;
    });
    // As a sender notes attempts. A row that was moved meanwhile fails the statement, and the sender tries again.
    while (!isOver) {
      tries += 1;
      await read(
        "update deliveries set attempts = '[1]', next_attempt_at = now() where workspace_id = $1 and status = 'pending'",
        [workspaceId],
      ).catch((error: Error) => expect(error.message).toMatch(/moved to another partition|deadlock|canceling/));
      await deliver(`during ${tries}`, "pending");
    }
    expect(await dropping).toContain(first);
    const names = Object.keys(await deliveries());
    expect(names.filter((name) => /^[01] \d*[02468]$/.test(name))).toHaveLength(500);
    expect(names.filter((name) => name.startsWith("during"))).toHaveLength(tries);
  });

  it.each(["while it takes the partition out", "before it drops the table"])(
    "go on to be dropped after a process was killed %s",
    async (when) => {
      const [first = ""] = await go(DELIVERIES, [45 * DAY_MS, 38 * DAY_MS], (i) => deliver(`${i}`));
      const doomed = await openDatabase(test.url, { applicationName: "doomed" });
      if (when === "before it drops the table") await read(`alter table deliveries detach partition ${first}`, []);
      else
        await test.database.transaction(async (trx) => {
          await deliver("open", "pending", (...statement) => run(trx, ...statement));
          const killed = expect(dropPeriods(doomed, DELIVERIES)).rejects.toThrow();
          await until("it waits for the write", async () => {
            const sql =
              "select from pg_stat_activity where datname = current_database() and query like 'alter table deliveries detach%' and wait_event_type = 'Lock'";
            return (await read(sql, [])).length > 0;
          });
          await read(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'doomed%'",
            [],
          );
          await killed;
        });
      await doomed.close();
      expect(await drop(DELIVERIES)).toContain(first);
      expect(await read("select from pg_class where relname = $1", [first])).toEqual([]);
      expect(Object.keys(await deliveries())).not.toContain("0");
    },
  );
});

describe("Old saved responses", () => {
  it("are dropped with their period, except for those that another process keeps for longer", async () => {
    const [first, second] = await go(RESPONSES, [49 * HOUR_MS, 25 * HOUR_MS, 23 * HOUR_MS], async (i) => {
      await save(`${i} over`);
      await save(`${i} longer`, DAY_MS);
    });
    expect(await drop(RESPONSES)).toEqual([first]);
    expect(await partitions(RESPONSES)).toContain(second);
    expect(await keys()).toEqual(["0 longer", "1 longer", "1 over", "2 longer", "2 over"]);
  });

  it("have periods as long as they are kept, so there are never many to look them up in", () => {
    for (const ttlS of [1, 3600, 86_400, 30 * 86_400]) {
      const { periodMs, keptMs } = savedResponses(ttlS);
      expect([periodMs >= DAY_MS, periodMs >= keptMs, keptMs >= HOUR_MS]).toEqual([true, true, true]);
    }
  });

  it("that stay are found wherever they stand in a large period", async () => {
    await go(RESPONSES, [49 * HOUR_MS, 25 * HOUR_MS], async (i) => {
      if (i > 0) return;
      // 2,000 pages of 8 kB are read by one statement.
      await read(
        `insert into saved_responses (workspace_id, user_id, key, fingerprint, status, body, expires_at)
         select $1, $1, n::text, repeat('f', 7000), 200, null, now() + case when n in (1, 2500, 4600) then 1 else -1 end * interval '1 hour'
         from generate_series(1, 4600) n`,
        [workspaceId],
      );
    });
    expect(await drop(RESPONSES)).toHaveLength(1);
    expect(await keys()).toEqual(["1", "2500", "4600"]);
  });
});
