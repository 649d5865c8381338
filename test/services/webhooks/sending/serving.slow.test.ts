import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { WEBHOOK_ATTEMPT_MS_MAX, WEBHOOKS_HELD_MAX } from "../../../../config/limits.ts";
import { openDatabase } from "../../../../database/database.ts";
import { openProxy } from "../../../../lab/harness/network-proxy.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import type { Attempt } from "../../../../services/webhooks/sending/attempt.ts";
import { claimQueues } from "../../../../services/webhooks/sending/claims.queries.ts";
import { releaseQueues, renewLeases } from "../../../../services/webhooks/sending/queues.queries.ts";
import { createRenewing } from "../../../../services/webhooks/sending/renewing.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { type Answerer, answerStatus, type Receiver, startReceiver } from "./receiver.ts";
import { type Sender, sender, WAITS_S } from "./sending.ts";
import { deliveriesOf, endWaits, insertWebhook, publish, queueOf, type StoredWebhook } from "./stock.ts";

/** So long a busy machine may take for what takes one of its own some seconds. */
const BUSY_MS = 90_000;
/** Leases that do not run out while a test looks at them, however busy the machine is. */
const [SHORT_LEASE_MS, LONG_LEASE_MS] = [60_000, 600_000];

let home: TestDatabase;
let world: World;
let workspace: TestWorkspace;
let receiver: Receiver;
let senders: Sender[] = [];
let paths = 0;

beforeAll(async () => {
  home = await testDatabase();
  world = await startWorld(home.database);
  receiver = await startReceiver();
});

beforeEach(async () => {
  workspace = await world.workspace();
});

afterEach(async () => {
  await Promise.all(senders.map(({ stop }) => stop()));
  senders = [];
  await home.database.read("delete from webhook_queues");
});

afterAll(async () => {
  await receiver.stop();
  await world.stop();
  await home.drop();
});

function start(...options: Parameters<typeof sender> extends [unknown, ...infer More] ? More : never): Sender {
  const one = sender(home.database, ...options);
  senders.push(one);
  return one;
}

async function hook(answerer: Answerer = answerStatus(200), options: { failingSince?: Date } = {}) {
  paths += 1;
  const path = `/serving-${paths}`;
  receiver.answer(path, answerer);
  const targetUrl = `${receiver.url}${path}`;
  const of = { workspaceId: workspace.uuid, createdBy: workspace.ada.uuid, targetUrl, ...options };
  return { ...(await insertWebhook(home.database, of)), path, ids: () => receiver.at(path).map(({ json }) => json.id) };
}

const events = (count: number, recordId?: () => Uuid) =>
  Array.from({ length: count }, () => (recordId ? { recordId: recordId() } : {}));

const idsOf = (published: { eventId: Uuid }[]) => published.map(({ eventId }) => `evt_${eventId}`);

const allSucceed = (webhook: StoredWebhook) =>
  until(
    "all have succeeded",
    async () => (await deliveriesOf(home.database, webhook)).every(({ status }) => status === "succeeded"),
    BUSY_MS,
  );

describe("Order (docs/guides/webhook-deliveries.md#order)", () => {
  it("is that of the commits for 1,000 updates of one record, beside others", async () => {
    const mine = await hook((response) => setImmediate(() => response.end()));
    const [one, other] = [newUuid(), newUuid()];
    const sending = start();
    const published: { eventId: Uuid }[] = [];
    for (let i = 0; i < 20; i += 1) {
      const mixed = Array.from({ length: 60 }, (_, n) => ({ recordId: n % 6 === 0 ? other : one }));
      published.push(...(await publish(home.database, [mine], mixed)));
      sending.wake();
    }
    await allSucceed(mine);
    const arrived = receiver.at(mine.path).map(({ json }) => json);
    for (const record of [one, other]) {
      const came = arrived.filter(({ data }) => data.id === `per_${record}`).map(({ id }) => id);
      const told = idsOf(published).filter((_, n) => ((n % 60) % 6 === 0 ? other : one) === record);
      expect(came).toEqual(told);
    }
  });

  it("does not hold up later events of a record behind one that has failed", async () => {
    const mine = await hook((response, _, count) => response.writeHead(count === 1 ? 500 : 200).end());
    const recordId = newUuid();
    const published = await publish(
      home.database,
      [mine],
      events(3, () => recordId),
    );
    // Its next attempt is made only after the test.
    start({ retryWaitsS: WAITS_S.slice(1) });
    await until("three came", () => mine.ids().length === 3);
    expect(mine.ids()).toEqual(idsOf(published));
    await until("the others are written", async () => {
      const all = await deliveriesOf(home.database, mine);
      return all.map(({ status }) => status).join() === "pending,succeeded,succeeded";
    });
  });
});

describe("Endpoints that hang or fail", () => {
  it("hold up neither others nor the process", async () => {
    const hung = await Promise.all(Array.from({ length: 5 }, () => hook(() => undefined)));
    await Promise.all(hung.map((one) => publish(home.database, [one], events(100))));
    const healthy = await hook();
    const begun = performance.now();
    const sending = start();
    await until("all hang", () => hung.every(({ path }) => receiver.at(path).length === 1));
    for (let i = 0; i < 20; i += 1) {
      await publish(home.database, [healthy], events(1));
      sending.wake();
      await until("it came", () => receiver.at(healthy.path).length === i + 1);
    }
    await allSucceed(healthy);
    // One at a time, each for as long as an attempt may take.
    const most = Math.ceil((performance.now() - begun) / WEBHOOK_ATTEMPT_MS_MAX);
    for (const { path } of hung) expect(receiver.at(path).length).toBeLessThanOrEqual(most);
  });

  it("are asked slowly after twenty failures, whatever waits for them", async () => {
    const dead = await hook(answerStatus(500), { failingSince: new Date() });
    await publish(home.database, [dead], events(3000));
    const healthy = await hook();
    const published = await publish(home.database, [healthy], events(300));
    const begun = performance.now();
    start();
    await allSucceed(healthy);
    expect(new Set(healthy.ids())).toEqual(new Set(idsOf(published)));
    // Twenty, those that were under way then, and two in each second since.
    const seconds = (performance.now() - begun) / 1000;
    expect(receiver.at(dead.path).length).toBeLessThan(40 + 2 * seconds);
  });

  it("are more than a process serves at once, and each gets its event once", async () => {
    const hooks = await Promise.all(Array.from({ length: 700 }, () => hook()));
    const [event] = await publish(home.database, hooks, events(1));
    start();
    await until("all have it", () => hooks.every(({ path }) => receiver.at(path).length > 0), BUSY_MS);
    expect(hooks.flatMap(({ ids }) => ids())).toEqual(hooks.map(() => `evt_${event?.eventId}`));
    await until("all are given back", async () => {
      const [row] = await home.database.read<{ count: number }>(
        "select count(*)::int as count from webhook_queues where lease is not null or due_at is not null",
      );
      return row?.count === 0;
    });
  });
});

describe("Leases of endpoints", () => {
  it("let a killed sender lose nothing: what it has sent and not written down comes again with the same id", async () => {
    let child: ReturnType<typeof spawn> | undefined;
    const mine = await hook((response, _, count) => {
      // The fifth is sent, and its sender is killed before it gets to know the answer.
      if (count === 5) child?.kill("SIGKILL");
      response.end();
    });
    const recordId = newUuid();
    const published = await publish(
      home.database,
      [mine],
      events(10, () => recordId),
    );
    const program = fileURLToPath(new URL("./sender-process.ts", import.meta.url));
    child = spawn(process.execPath, [program, home.url], { stdio: ["ignore", "ignore", "inherit"] });
    await once(child, "exit");
    const queue = await queueOf(home.database, mine);
    expect(queue?.lease).not.toBeNull();
    expect(queue?.lastsS).toBeLessThanOrEqual(20);
    const before = mine.ids();
    expect(before).toEqual(idsOf(published).slice(0, 5));
    // The clock of the lease goes on by those 20 seconds.
    await home.database.read("update webhook_queues set leased_until = now() - interval '1 ms' where webhook_id = $1", [
      mine.uuid,
    ]);
    start();
    await allSucceed(mine);
    const again = mine.ids().slice(5);
    expect(new Set(mine.ids())).toEqual(new Set(idsOf(published)));
    expect(again).toEqual(idsOf(published).slice(-again.length));
    // Results are written some milliseconds after an attempt, so the fifth, and maybe one or two before it, come twice.
    expect(again.length).toBeGreaterThanOrEqual(6);
  });

  it("are kept while the database is away: what was sent is written down when it is back", async () => {
    const proxy = await openProxy(home.url);
    const behind = await openDatabase(proxy.url, { applicationName: "sender" });
    const mine = await hook((response, _, count) => {
      if (count === 5) void proxy.cut().then(() => response.end());
      else response.end();
    });
    const recordId = newUuid();
    const published = await publish(
      home.database,
      [mine],
      events(10, () => recordId),
    );
    const sending = sender(behind);
    senders.push(sending);
    await until("it is noticed", () => sending.log.length > 0);
    const before = mine.ids();
    expect(before.slice(0, 5)).toEqual(idsOf(published).slice(0, 5));
    await proxy.restore();
    await allSucceed(mine);
    expect(mine.ids()).toEqual(idsOf(published));
    await sending.stop();
    await behind.close();
    await proxy.stop();
  });

  it("let two senders share the work, and each delivery is sent once", async () => {
    const hooks = await Promise.all(Array.from({ length: 12 }, () => hook()));
    const [first, second] = [start(), start()];
    const published: { eventId: Uuid }[] = [];
    for (let i = 0; i < 20; i += 1) {
      published.push(...(await publish(home.database, hooks, events(5))));
      first.wake();
      second.wake();
    }
    await Promise.all(hooks.map(allSucceed));
    for (const { ids } of hooks) expect(ids().sort()).toEqual(idsOf(published).sort());
    expect([first.log, second.log]).toEqual([[], []]);
  });

  it("are given back by a stop, with what was not answered in time", async () => {
    const mine = await hook((response, _, count) => {
      if (count > 1) response.end();
    });
    await publish(home.database, [mine], events(1));
    const sending = start();
    await until("it hangs", () => receiver.at(mine.path).length === 1);
    await sending.stop();
    expect(await queueOf(home.database, mine)).toMatchObject({ lease: null, due_at: expect.any(Date) });
    expect((await deliveriesOf(home.database, mine))[0]).toMatchObject({ status: "pending", attempts: [] });
    start();
    await allSucceed(mine);
    expect(new Set(mine.ids()).size).toBe(1);
  });

  it("that others have taken write nothing any more", async () => {
    let answer: () => void = () => undefined;
    const mine = await hook((response) => {
      answer = () => response.writeHead(500).end();
    });
    await publish(home.database, [mine], events(1));
    start();
    await until("it was sent", () => receiver.at(mine.path).length === 1);
    await home.database.read(
      "update webhook_queues set lease = gen_random_uuid(), leased_until = now() + interval '1 hour' where webhook_id = $1",
      [mine.uuid],
    );
    answer();
    await Promise.all(senders.map(({ stop }) => stop()));
    expect((await deliveriesOf(home.database, mine))[0]).toMatchObject({ status: "pending", attempts: [] });
    expect((await queueOf(home.database, mine))?.lease).not.toBeNull();
  });

  it("are renewed as long as they are held", async () => {
    const mine = await hook();
    await publish(home.database, [mine], events(1));
    const query = home.database.queryPlanned;
    const [queue] = await claimQueues(query, 1, SHORT_LEASE_MS, 1, []);
    if (!queue) throw new Error("Nothing was claimed");
    expect(await claimQueues(query, 1, SHORT_LEASE_MS, 1, [])).toEqual([]);
    expect(await renewLeases(query, [queue], LONG_LEASE_MS)).toEqual(new Map([[queue, true]]));
    expect((await queueOf(home.database, mine))?.lastsS).toBeGreaterThan(500);
    expect(await renewLeases(query, [{ ...queue, lease: newUuid() }], LONG_LEASE_MS)).toEqual(new Map());
    // A row that the publisher has locked is held all the same.
    await home.database.transaction(async (trx) => {
      await trx.raw(`select from webhook_queues where webhook_id = '${mine.uuid}' for update`);
      expect(await renewLeases(query, [queue], LONG_LEASE_MS)).toEqual(new Map([[queue, false]]));
    });
  });

  it("are renewed when the publisher lets their row go, and the others do not wait for that", async () => {
    const [mine, other] = [await hook(), await hook()];
    await publish(home.database, [mine, other], events(1));
    const queues = await claimQueues(home.database.queryPlanned, 2, SHORT_LEASE_MS, 2, []);
    const failures: Error[] = [];
    const renewing = createRenewing(home.database, LONG_LEASE_MS, (error) => void failures.push(error));
    await home.database.transaction(async (trx) => {
      await trx.raw(`select from webhook_queues where webhook_id = '${mine.uuid}' for update`);
      expect(await renewing.renew(queues)).toEqual(new Set(queues));
      expect(await renewing.renew(queues)).toEqual(new Set(queues));
      expect((await queueOf(home.database, other))?.lastsS).toBeGreaterThan(500);
      expect((await queueOf(home.database, mine))?.lastsS).toBeLessThanOrEqual(60);
    });
    await renewing.ended();
    expect((await queueOf(home.database, mine))?.lastsS).toBeGreaterThan(500);
    expect(failures).toEqual([]);
  });

  it("are not taken a second time by the process that holds them, when they have run out", async () => {
    const mine = await hook();
    await publish(home.database, [mine], events(1));
    const query = home.database.queryPlanned;
    const [queue] = await claimQueues(query, 1, 1000, 1, []);
    if (!queue) throw new Error("Nothing was claimed");
    await home.database.read("update webhook_queues set leased_until = now() - interval '1 s' where webhook_id = $1", [
      mine.uuid,
    ]);
    expect(await claimQueues(query, 1, 1000, 1, [queue])).toEqual([]);
    expect(await claimQueues(query, 1, 1000, 1, [])).toHaveLength(1);
  });

  it("of several workspaces are taken in turns, and of one no more than its part", async () => {
    const other = await world.workspace();
    const later = (minutes: number) => new Date(Date.now() - 60_000 * (60 - minutes));
    const insert = async (uuid: Uuid, dueAt: Date) => {
      const webhookId = newUuid();
      await home.database.read("insert into webhook_queues (workspace_id, webhook_id, due_at) values ($1, $2, $3)", [
        uuid,
        webhookId,
        dueAt,
      ]);
      return webhookId;
    };
    for (let i = 0; i < 6; i += 1) await insert(workspace.uuid, later(i));
    const last = await insert(other.uuid, later(30));
    const first = await claimQueues(home.database.queryPlanned, 2, 20_000, 2, [], 3);
    expect(first.map(({ webhookId }) => webhookId)).toContain(last);
    const second = await claimQueues(home.database.queryPlanned, 10, 20_000, 2, first, 3);
    expect(second).toHaveLength(2);
    expect(await claimQueues(home.database.queryPlanned, 10, 20_000, 2, [...first, ...second], 3)).toEqual([]);
    expect(await claimQueues(home.database.queryPlanned, 10, 20_000, 2, [], 3)).toHaveLength(3);
  });

  it("of a workspace with very many slow receivers leave places for others", async () => {
    const other = await world.workspace();
    const insert = ({ uuid, ada }: TestWorkspace, targetUrl: string) =>
      insertWebhook(home.database, { workspaceId: uuid, createdBy: ada.uuid, targetUrl });
    const slow = await Promise.all(
      Array.from({ length: WEBHOOKS_HELD_MAX }, () => insert(workspace, "https://slow.test/")),
    );
    const quick = await insert(other, "https://quick.test/");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let waiting = 0;
    const attempt: Attempt = async ({ targetUrl }) => {
      if (targetUrl.includes("slow")) {
        waiting += 1;
        await released;
      }
      return { responseStatus: 200, error: null, durationMs: 1, responseBody: "", retryAfter: null };
    };
    await publish(home.database, slow, events(1));
    try {
      start({ attempt });
      await until("its part waits for the slow ones", () => waiting >= WEBHOOKS_HELD_MAX / 2, BUSY_MS);
      await publish(home.database, [quick], events(1));
      await allSucceed(quick);
      expect(waiting).toBeLessThan(WEBHOOKS_HELD_MAX);
    } finally {
      release();
    }
  });

  it("go to healthy endpoints first, and to so many failing ones at most", async () => {
    const failing = await Promise.all(
      Array.from({ length: 4 }, () => hook(answerStatus(500), { failingSince: new Date() })),
    );
    await publish(home.database, failing, events(1));
    const healthy = await Promise.all(Array.from({ length: 2 }, () => hook()));
    await publish(home.database, healthy, events(1));
    const claim = async (count: number, failingMost: number) => {
      const claimed = await claimQueues(home.database.queryPlanned, count, 20_000, failingMost, []);
      return claimed.map(({ isFailing }) => isFailing).sort();
    };
    expect(await claim(1, 1)).toEqual([false]);
    expect(await claim(4, 2)).toEqual([false, true, true]);
    expect(await claim(4, 0)).toEqual([]);
    expect(await claim(1, 2)).toEqual([true]);
  });

  it("are asked for before each attempt: who has lost one sends nothing more", async () => {
    const answers: (() => void)[] = [];
    const mine = await hook((response) => void answers.push(() => response.end()));
    const recordId = newUuid();
    await publish(
      home.database,
      [mine],
      events(20, () => recordId),
    );
    start();
    await until("the first has come", () => answers.length === 1);
    await home.database.read(
      "update webhook_queues set lease = gen_random_uuid(), leased_until = now() + interval '1 hour' where webhook_id = $1",
      [mine.uuid],
    );
    for (const answer of answers) answer();
    // Deliveries of others are sent and written meanwhile.
    const other = await hook();
    await publish(home.database, [other], events(50));
    await allSucceed(other);
    expect(receiver.at(mine.path)).toHaveLength(1);
  });
});

describe("Giving an endpoint back", () => {
  const healthy = { hasSucceeded: false, hasFailed: false };
  const claimOne = async () => {
    const [queue] = await claimQueues(home.database.queryPlanned, 1, 20_000, 1, []);
    if (!queue) throw new Error("Nothing was claimed");
    return queue;
  };

  it("misses no delivery that is added meanwhile, whoever gets the lock first", async () => {
    const mine = await hook();
    for (const isSenderFirst of [true, false]) {
      await endWaits(home.database, mine);
      const queue = await claimOne();
      const release = () => releaseQueues(home.database, new Map([[queue, healthy]]), true);
      let released: Promise<unknown> = Promise.resolve();
      await publish(home.database, [mine], events(1), {
        before: async () => {
          // The deliveries are inserted and not committed, and the queue is not locked yet; or it is, and the sender
          // waits.
          if (isSenderFirst) await release();
        },
        after: async () => {
          if (!isSenderFirst) {
            released = release();
            await until("the sender waits", () => waiting());
          }
        },
      });
      await released;
      expect(await queueOf(home.database, mine)).toMatchObject({ lease: null, due_at: expect.any(Date) });
      expect((await queueOf(home.database, mine))?.due_at?.getTime()).toBeLessThanOrEqual(Date.now());
      await home.database.read("delete from deliveries where webhook_id = $1", [mine.uuid]);
    }
  });

  /** Whether a statement waits for the lock of a queue. */
  const waiting = async () => {
    const rows = await home.database.read(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_queues%'",
    );
    return rows.length > 0;
  };

  it("puts what is due still behind all that wait", async () => {
    const [mine, other] = [await hook(), await hook()];
    await publish(home.database, [mine], events(1));
    await home.database.read(
      "update deliveries set next_attempt_at = now() - interval '1 hour' where webhook_id = $1",
      [mine.uuid],
    );
    const queue = await claimOne();
    await publish(home.database, [other], events(1));
    await releaseQueues(home.database, new Map([[queue, healthy]]), true);
    expect((await claimOne()).webhookId).toBe(other.uuid);
  });

  it("leaves out what is locked unless it waits, and gives back the rest", async () => {
    const [one, two] = [await hook(), await hook()];
    await endWaits(home.database, one);
    await endWaits(home.database, two);
    const queues = await claimQueues(home.database.queryPlanned, 2, 20_000, 2, []);
    const release = () => releaseQueues(home.database, new Map(queues.map((queue) => [queue, healthy])), false);
    await home.database.transaction(async (trx) => {
      await trx.raw(`select from webhook_queues where webhook_id = '${one.uuid}' for update`);
      expect([...(await release())].map(({ webhookId }) => webhookId)).toEqual([two.uuid]);
    });
    expect([...(await release())].map(({ webhookId }) => webhookId)).toEqual([one.uuid]);
    expect(await release()).toEqual(new Set());
  });

  it("loses nothing while events come and senders release all the time", async () => {
    const hooks = await Promise.all(Array.from({ length: 4 }, () => hook()));
    // Both give an endpoint back as soon as nothing is due, because more are due than each may hold.
    const [first, second] = [start(), start()];
    const published: { eventId: Uuid }[] = [];
    for (let i = 0; i < 60; i += 1) {
      published.push(...(await publish(home.database, hooks, events(1))));
      (i % 2 === 0 ? first : second).wake();
    }
    await Promise.all(hooks.map(allSucceed));
    for (const { ids } of hooks) expect(ids().sort()).toEqual(idsOf(published).sort());
  });
});
