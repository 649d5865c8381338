import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { firstUuidOf, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import { DELIVERIES, makePeriod } from "../../../engine/periods/periods.ts";
import { SWEEPS, sweep } from "../../../services/webhooks/retention/retention.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const BEFORE = new Date("2026-06-01T00:00:00Z");
const OLD = new Date("2026-05-01T00:00:00Z");
const YOUNG = new Date("2026-06-01T00:00:00Z");

let test: TestDatabase;
const workspaceId: Uuid = newUuid();

beforeAll(async () => {
  test = await testDatabase();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
});

afterEach(async () => {
  for (const table of ["deliveries", "webhooks", "webhook_queues"]) await test.database.read(`delete from ${table}`);
});

afterAll(() => test.drop());

/** How many rows each statement of a sweep leaves in a table. */
function watched(table: string): { database: Pick<Database, "queryPlanned">; left: number[] } {
  const left: number[] = [];
  const queryPlanned = async <Row>(sql: string, values?: readonly unknown[]) => {
    const rows = await test.database.queryPlanned<Row>(sql, values);
    const [row] = await test.database.read<{ count: number }>(`select count(*) from ${table}`);
    left.push(row?.count ?? 0);
    return rows;
  };
  return { database: { queryPlanned }, left };
}

async function makeWebhook(): Promise<Uuid> {
  const id = newUuid();
  await test.database.read(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
     values ($1, $2, now(), $2, 'w', 'https://x.test', '[]', 'active', '', '', 0)`,
    [workspaceId, id],
  );
  return id;
}

/** Deliveries of a webhook that were made at a time, with ids of that time. */
async function deliver(webhookId: Uuid, count: number, at: Date, status = "succeeded"): Promise<void> {
  await test.database.read(
    `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
     select $1, overlay($2 placing substr(gen_random_uuid()::text, 25) from 25)::uuid, $3, $1, 'person.created', $1, $4, $5
     from generate_series(1, $6::int)`,
    [workspaceId, firstUuidOf(at.getTime()), webhookId, status, at, count],
  );
}

/** How many deliveries there are of each status. */
async function kept(): Promise<Record<string, number>> {
  const rows = await test.database.read<{ status: string; count: number }>(
    "select status, count(*)::int as count from deliveries group by status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const GONE = SWEEPS["deliveries of webhooks that are gone"];

// docs/guides/webhooks.md#status
describe("The sweep of deliveries of webhooks that are gone", () => {
  it("deletes all of them, pending ones too, in small statements, and no others", async () => {
    const one = await makeWebhook();
    await deliver(one, 20, YOUNG);
    await deliver(one, 10, OLD, "pending");
    await deliver(newUuid(), 2900, YOUNG);
    await deliver(newUuid(), 300, OLD, "pending");
    const { database, left } = watched("deliveries");
    expect(await sweep(database, GONE, BEFORE)).toBe(3200);
    expect(await kept()).toEqual({ succeeded: 20, pending: 10 });
    const steps = left.map((count, i) => (left[i - 1] ?? 3230) - count);
    expect(Math.max(...steps)).toBe(1000);
  });

  it("deletes them in all periods", async () => {
    const [one, gone] = [await makeWebhook(), newUuid()];
    for (const number of [1, 2, 3]) {
      await test.database.transaction((trx) =>
        makePeriod((...statement) => run(trx, ...statement), DELIVERIES, number),
      );
      for (const [id, count] of [
        [one, 4],
        [gone, 700],
      ] as const)
        await deliver(id, count, YOUNG);
      await test.database.read("update deliveries set period = $1 where period > 3", [number]);
    }
    const { database, left } = watched("deliveries");
    expect(await sweep(database, GONE, BEFORE)).toBe(2100);
    expect(left).toHaveLength(3);
    expect(await kept()).toEqual({ succeeded: 12 });
  });

  it("asks with one statement for 199 webhooks, and with one more for a thousand deliveries", async () => {
    const webhooks: Uuid[] = [];
    for (let i = 0; i < 199; i += 1) webhooks.push(await makeWebhook());
    for (const id of webhooks) await deliver(id, 4, YOUNG);
    const { database, left } = watched("deliveries");
    await sweep(database, GONE, BEFORE);
    expect(left).toHaveLength(1);
    await deliver(webhooks[100] as Uuid, 1000, OLD);
    await test.database.read("delete from webhooks where id = $1", [webhooks[100]]);
    expect(await sweep(database, GONE, BEFORE)).toBe(1004);
    expect(left).toHaveLength(1 + 2);
  });

  it("finds them behind hundreds of webhooks, of which each has deliveries", async () => {
    for (let i = 0; i < 450; i += 1) await deliver(i % 10 === 0 ? newUuid() : await makeWebhook(), 1, YOUNG);
    expect(await sweep(test.database, GONE, BEFORE)).toBe(45);
    expect(await kept()).toEqual({ succeeded: 405 });
  });

  it("is done by several at once, and passes over one that is locked", async () => {
    await deliver(newUuid(), 2000, OLD);
    await test.database.transaction(async (trx) => {
      await trx.raw("select 1 from deliveries order by id limit 1 for update");
      const counts = await Promise.all([1, 2, 3].map(() => sweep(test.database, GONE, BEFORE)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1999);
    });
    expect(await sweep(test.database, GONE, BEFORE)).toBe(1);
  });
});

describe("The sweep of queues", () => {
  it("deletes those of webhooks that are gone, and no others", async () => {
    const id = await makeWebhook();
    for (const webhookId of [id, newUuid(), newUuid()])
      await test.database.read("insert into webhook_queues (workspace_id, webhook_id) values ($1, $2)", [
        workspaceId,
        webhookId,
      ]);
    expect(await sweep(test.database, SWEEPS["queues of webhooks that are gone"], BEFORE)).toBe(2);
    expect(await test.database.read("select webhook_id as id from webhook_queues")).toEqual([{ id }]);
  });
});

describe("The sweep of places of streams", () => {
  it("deletes those that were not renewed for its time, and no others", async () => {
    await test.database.read(
      `insert into event_streams (workspace_id, user_id, place, id, until)
       select $1, $1, n, $1, $2::timestamptz + (n - 2) * interval '1 s' from generate_series(1, 3) n`,
      [workspaceId, BEFORE],
    );
    expect(await sweep(test.database, SWEEPS["places of streams"], BEFORE)).toBe(1);
    expect(await test.database.read("select place from event_streams order by place")).toEqual([
      { place: 2 },
      { place: 3 },
    ]);
  });
});

const LARGE = {
  "deliveries of webhooks that are gone": "deliveries",
};

it.each(Object.entries(LARGE))("The sweep of %s finds its rows by indexes alone", async (what, table) => {
  const { sql, first } = SWEEPS[what as keyof typeof LARGE];
  const plan = await test.database.transaction(async (trx) => {
    // A table without rows is read as a whole, unless nothing else is allowed.
    await trx.raw("set local enable_seqscan = off");
    return run(trx, `explain ${sql}`, [first, BEFORE]);
  });
  expect(JSON.stringify(plan)).not.toContain(`Seq Scan on ${table}`);
});
