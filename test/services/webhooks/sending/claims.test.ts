import { afterEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import type { Database } from "../../../../database/database.ts";
import type { Query } from "../../../../database/query.ts";
import { claimQueues } from "../../../../services/webhooks/sending/claims.queries.ts";
import { readDue, readStandings, writeResults } from "../../../../services/webhooks/sending/deliveries.queries.ts";
import {
  type Queue,
  releaseQueues,
  renewLeases,
  writeHealth,
} from "../../../../services/webhooks/sending/queues.queries.ts";
import { markQueueGone } from "../../../../services/webhooks/webhooks/webhooks.queries.ts";
import { useHome } from "../../../support/home.ts";
import { deliveriesOf, insertWebhook, publish, queueOf, type StoredWebhook } from "./stock.ts";

const home = useHome();

afterEach(async () => {
  await home.database.read("delete from webhook_queues");
});

/** Webhooks of a workspace that have a delivery which is due. */
async function due(count: number, { isFailing = false } = {}): Promise<StoredWebhook[]> {
  const { uuid: workspaceId, ada } = await home.workspace();
  const failing = isFailing ? { failingSince: new Date() } : {};
  const of = { workspaceId, createdBy: ada.uuid, targetUrl: "https://receiver.invalid/", ...failing };
  const webhooks = await Promise.all(Array.from({ length: count }, () => insertWebhook(home.database, of)));
  await publish(home.database, webhooks, [{}]);
  return webhooks;
}

const claim = (query: Query, count: number, failingMost = count, held: Queue[] = []) =>
  claimQueues(query, count, 60_000, failingMost, held);

const idsOf = (queues: readonly { webhookId: Uuid }[]) => queues.map(({ webhookId }) => webhookId).sort();

/** A query that notes the statements, and runs something before the first one that takes queues. */
function watched(before: () => Promise<unknown> = async () => undefined) {
  const statements: { sql: string; values: readonly unknown[] }[] = [];
  let isFirst = true;
  const query: Query = async (sql, values, form) => {
    statements.push({ sql, values });
    if (isFirst && sql.includes("update webhook_queues")) {
      isFirst = false;
      await before();
    }
    return home.database.queryPlanned(sql, values, form);
  };
  return { query, statements };
}

describe("A claim (docs/decisions/0014-webhook-delivery.md)", () => {
  it("is one statement when nothing is due", async () => {
    const { query, statements } = watched();
    expect(await claim(query, 10)).toEqual([]);
    expect(statements).toHaveLength(1);
  });

  it("is one look, and one statement for each workspace with queues that are due", async () => {
    const [one, two] = [await due(3), await due(2)];
    const { query, statements } = watched();
    expect(idsOf(await claim(query, 10))).toEqual([...one, ...two].map(({ uuid }) => uuid).sort());
    const [look, ...takes] = statements;
    expect(look?.sql).not.toMatch(/update|for update/);
    expect(takes.map(({ values }) => values[0]).sort()).toEqual([one[0]?.workspaceId, two[0]?.workspaceId].sort());
  });

  it("takes no more than there are places, of all workspaces together", async () => {
    for (let i = 0; i < 3; i += 1) await due(2);
    for (let i = 0; i < 3; i += 1) await due(2, { isFailing: true });
    const first = await claim(home.database.queryPlanned, 5, 3);
    expect(first.map(({ isFailing }) => isFailing)).toEqual(Array.from({ length: 5 }, () => false));
    const second = await claim(home.database.queryPlanned, 5, 3, first);
    expect(second.filter(({ isFailing }) => isFailing)).toHaveLength(3);
    expect(second).toHaveLength(4);
  });

  it("takes others when another process was faster", async () => {
    const [one, two] = [await due(4), await due(4)];
    let others: Queue[] = [];
    const { query } = watched(async () => {
      others = await claim(home.database.queryPlanned, 4);
    });
    const mine = await claim(query, 4);
    expect([others.length, mine.length]).toEqual([4, 4]);
    expect(idsOf([...others, ...mine])).toEqual([...one, ...two].map(({ uuid }) => uuid).sort());
  });

  it("takes others in the place of those that the publisher has locked", async () => {
    const [first, second] = [await due(1), await due(1)];
    await home.database.transaction(async (trx) => {
      await trx.raw(`select from webhook_queues where webhook_id = '${first[0]?.uuid}' for update`);
      expect(idsOf(await claim(home.database.queryPlanned, 1))).toEqual([second[0]?.uuid]);
    });
  });

  it("takes none whose attempts have begun to fail since the look, beyond those that may fail", async () => {
    const [webhook] = await due(1);
    const { query } = watched(() =>
      home.database.read("update webhook_queues set failing_since = now() where webhook_id = $1", [webhook?.uuid]),
    );
    expect(await claim(query, 5, 0)).toEqual([]);
    expect(await claim(query, 5, 1)).toHaveLength(1);
  });

  it("leaves out the queue of a deleted webhook, also when a delivery has come late", async () => {
    const [webhook] = await due(1);
    if (!webhook) throw new Error("There is no webhook");
    await markQueueGone(home.database.read, webhook.workspaceId, webhook.uuid);
    await home.database.read("update webhook_queues set due_at = now() where webhook_id = $1", [webhook.uuid]);
    expect(await claim(home.database.queryPlanned, 5)).toEqual([]);
  });
});

it("Each statement of a sender behind the look is of one workspace (docs/guides/citus.md#what-crosses-no-workspace)", async () => {
  const webhooks = [...(await due(2)), ...(await due(2))];
  const workspaces = new Set(webhooks.map(({ workspaceId }) => workspaceId));
  const queues = await claim(home.database.queryPlanned, 4);
  const { query, statements } = watched();
  const transaction: Database["transaction"] = (work, options) => {
    statements.push(...(options?.opening ?? []).map(({ text, values = [] }) => ({ sql: text, values })));
    return home.database.transaction(work, options);
  };

  expect((await renewLeases(query, [...queues, { ...queues[0], lease: newUuid() } as Queue], 60_000)).size).toBe(4);
  const asked = [];
  for (const queue of queues) {
    const [found] = (await readDue(query, queue.workspaceId, new Map([[queue, 5]]))).get(queue) ?? [];
    if (found) asked.push({ queue, due: found });
  }
  expect((await readStandings(query, asked)).map((standing) => standing?.webhookId)).toEqual(
    queues.map(({ webhookId }) => webhookId),
  );
  const results = asked.map(({ queue, due: { uuid, period } }) => {
    return { queue, uuid, period, status: "succeeded", attempt: { n: 1 }, waitMs: null, gone: null } as const;
  });
  const lost = { ...results[0], queue: { ...queues[0], lease: newUuid() } } as (typeof results)[0];
  expect(await writeResults(query, [lost])).toEqual(new Set());
  expect(await writeResults(query, results)).toEqual(new Set(results));
  // It has ended, and its queue is held still.
  expect(await writeResults(query, results)).toEqual(new Set(results));
  const health = new Map(queues.map((queue) => [queue, { hasSucceeded: true, hasFailed: false }]));
  expect(await writeHealth(query, health)).toEqual(new Set(queues));
  expect(await releaseQueues({ transaction }, health, false)).toEqual(new Set(queues));

  const firsts = statements.map(({ values }) => values[0] as Uuid);
  expect(new Set(firsts)).toEqual(workspaces);
  for (const webhook of webhooks) {
    expect(await deliveriesOf(home.database, webhook)).toMatchObject([{ status: "succeeded", attempts: [{ n: 1 }] }]);
    expect(await queueOf(home.database, webhook)).toMatchObject({ lease: null, due_at: null, is_gone: false });
  }
});
