import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { DELIVERIES, dropPeriods, makePeriod } from "../../../engine/periods/periods.ts";
import { until } from "../../../lab/harness/until.ts";
import { deleteGoneWebhooks } from "../../../services/webhooks/retention/gone-webhooks.ts";
import { markQueueGone } from "../../../services/webhooks/webhooks/webhooks.queries.ts";
import { removeWorkspace } from "../../../services/workspaces/workspaces/workspaces.remove.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

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

async function makeWebhook(query: Query = test.database.read, of = workspaceId): Promise<Uuid> {
  const id = newUuid();
  await query(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
     values ($1, $2, now(), $2, 'w', 'https://x.test', '[]', 'active', '', '', 0)`,
    [of, id],
  );
  await makeQueue(id, of, query);
  return id;
}

/** The queue of a webhook, in any workspace. */
async function makeQueue(webhookId: Uuid, of = workspaceId, query: Query = test.database.read): Promise<void> {
  await query("insert into webhook_queues (workspace_id, webhook_id, due_at) values ($1, $2, now())", [of, webhookId]);
}

/** A webhook that was deleted, with deliveries. */
async function gone(count: number, status?: string, of = workspaceId): Promise<Uuid> {
  const webhookId = newUuid();
  await makeQueue(webhookId, of);
  await markQueueGone(test.database.read, of, webhookId);
  await deliver(webhookId, count, status, of);
  return webhookId;
}

async function deliver(webhookId: Uuid, count: number, status = "succeeded", of = workspaceId): Promise<void> {
  await test.database.read(
    `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
     select $1, gen_random_uuid(), $2, $1, 'person.created', $1, $3, now() from generate_series(1, $4::int)`,
    [of, webhookId, status, count],
  );
}

/** The number of deliveries of each status. */
async function kept(): Promise<Record<string, number>> {
  const rows = await test.database.read<{ status: string; count: number }>(
    "select status, count(*)::int as count from deliveries group by status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const queues = () => test.database.read("select webhook_id as id from webhook_queues");

/** The numbers of deliveries and queues after each statement, and its values. */
function watched() {
  const steps: { deliveries: number; queues: number; values: readonly unknown[] }[] = [];
  const queryPlanned = async <Row>(sql: string, values: readonly unknown[] = []) => {
    const rows = await test.database.queryPlanned<Row>(sql, values);
    const [row] = await test.database.read<{ deliveries: number; queues: number }>(
      "select (select count(*)::int from deliveries) as deliveries, (select count(*)::int from webhook_queues) as queues",
    );
    if (row) steps.push({ ...row, values });
    return rows;
  };
  return { database: { queryPlanned } as Pick<Database, "queryPlanned">, steps };
}

// docs/guides/webhooks.md#status
describe("The deliveries of a deleted webhook", () => {
  it("go in small steps, pending ones too, with its queue at the end, and no others", async () => {
    const one = await makeWebhook();
    await deliver(one, 20);
    await deliver(one, 10, "pending");
    await gone(2900);
    await gone(300, "pending");
    const { database, steps } = watched();
    expect(await deleteGoneWebhooks(database)).toBe(3200);
    expect(await kept()).toEqual({ succeeded: 20, pending: 10 });
    expect(await queues()).toEqual([{ id: one }]);
    expect(Math.max(...steps.map(({ deliveries }, i) => (steps[i - 1]?.deliveries ?? 3230) - deliveries))).toBe(1000);
    for (const [i, step] of steps.entries())
      if (step.queues < (steps[i - 1]?.queues ?? 3)) expect(step.deliveries).toBe(steps[i - 1]?.deliveries);
  });

  it("go in all periods", async () => {
    const [one, deleted] = [await makeWebhook(), await gone(0)];
    for (const number of [1, 2, 3]) {
      await test.database.transaction((trx) =>
        makePeriod((...statement) => run(trx, ...statement), DELIVERIES, number),
      );
      await deliver(one, 4);
      await deliver(deleted, 700);
      await test.database.read("update deliveries set period = $1 where period > 3", [number]);
    }
    expect(await deleteGoneWebhooks(test.database)).toBe(2100);
    expect(await kept()).toEqual({ succeeded: 12 });
    expect(await queues()).toEqual([{ id: one }]);
  });

  it("go by statements of one workspace each, behind one that looks for deleted webhooks", async () => {
    const others = [newUuid(), newUuid()];
    for (const of of others) await gone(5, "succeeded", of);
    const { database, steps } = watched();
    expect(await deleteGoneWebhooks(database)).toBe(10);
    const [look, ...rest] = steps.map(({ values }) => values);
    expect(look).toEqual([]);
    expect(new Set(rest.map(([first]) => first))).toEqual(new Set(others));
  });

  it("go however many webhooks are deleted at once", async () => {
    for (let i = 0; i < 205; i += 1) await gone(1);
    expect(await deleteGoneWebhooks(test.database)).toBe(205);
    expect(await queues()).toEqual([]);
  });

  it("are deleted by several processes at once, which pass over one that is locked and keep its queue", async () => {
    await gone(2000);
    await test.database.transaction(async (trx) => {
      await trx.raw("select 1 from deliveries order by id limit 1 for update");
      const counts = await Promise.all([1, 2, 3].map(() => deleteGoneWebhooks(test.database)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1999);
      expect(await queues()).toHaveLength(1);
    });
    expect(await deleteGoneWebhooks(test.database)).toBe(1);
    expect(await queues()).toEqual([]);
  });

  it("end with the statement that is running when the process is stopped, and the rest goes later", async () => {
    await gone(2500);
    const stopping = new AbortController();
    const queryPlanned: Database["queryPlanned"] = async (sql, values) => {
      if (sql.includes("delete from deliveries")) stopping.abort();
      return test.database.queryPlanned(sql, values);
    };
    expect(await deleteGoneWebhooks({ queryPlanned }, stopping.signal)).toBe(1000);
    expect(await queues()).toHaveLength(1);
    expect(await deleteGoneWebhooks(test.database)).toBe(1500);
  });

  it("that wait are not taken along when their period is dropped, and those of other webhooks are", async () => {
    const one = await makeWebhook();
    await deliver(one, 2, "pending");
    // As the release before leaves them: without a queue.
    await deliver(newUuid(), 3, "pending");
    await test.database.transaction((trx) => makePeriod((...statement) => run(trx, ...statement), DELIVERIES, 4));
    await test.database.read("update deliveries set period = 4");
    await dropPeriods(test.database, { ...DELIVERIES, keptMs: 0 });
    expect(await kept()).toEqual({ pending: 2 });
  });

  it("are found by indexes alone", async () => {
    const plans: unknown[] = [];
    await gone(1);
    const queryPlanned: Database["queryPlanned"] = async (sql, values = []) => {
      await test.database.transaction(async (trx) => {
        // A table without rows is read as a whole, unless nothing else is allowed.
        await trx.raw("set local enable_seqscan = off");
        plans.push(await run(trx, `explain ${sql}`, values));
      });
      return test.database.queryPlanned(sql, values);
    };
    await deleteGoneWebhooks({ queryPlanned });
    expect(plans).toHaveLength(3);
    expect(JSON.stringify(plans)).toContain("webhook_queues_gone");
    expect(JSON.stringify(plans)).not.toContain("Seq Scan");
  });
});

it("A webhook that is made while its workspace is removed leaves no queue", async () => {
  const doomed = newUuid();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'doomed', 'D', now())", [
    doomed,
  ]);
  const inside = (work: (query: Query) => Promise<unknown>) =>
    test.database.transaction((trx) => work((...statement) => run(trx, ...statement)));
  let removal: Promise<unknown> = Promise.resolve();
  await inside(async (query) => {
    await makeWebhook(query, doomed);
    removal = inside((removing) => removeWorkspace(removing, doomed));
    await until("the removal waits", async () => {
      const rows = await test.database.read(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
  });
  await removal;
  expect(await queues()).toEqual([]);
  expect(await test.database.read("select from webhooks")).toEqual([]);
});
