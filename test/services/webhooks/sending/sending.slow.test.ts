import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { madeAt, newUuid, toId } from "../../../../base/values/ids.ts";
import { createSealing } from "../../../../engine/secrets/cipher.ts";
import { keyOf } from "../../../../engine/secrets/key.ts";
import { webhookPurpose } from "../../../../engine/secrets/purposes.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { cancelStopped } from "../../../../services/webhooks/sending/stops.queries.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { type Answerer, answerStatus, type Received, type Receiver, startReceiver } from "./receiver.ts";
import { PUBLIC_URL, type Sender, sender, WAITS_S } from "./sending.ts";
import {
  deliveriesOf,
  endWaits,
  type Happening,
  insertWebhook,
  newSecret,
  publish,
  queueOf,
  type StoredWebhook,
  sealing,
} from "./stock.ts";

/** The first wait is longer than a busy machine holds up a test, so that nothing is tried again meanwhile. */
const RETRY_WAITS_S = [20, ...WAITS_S.slice(1)];

let home: TestDatabase;
let world: World;
let workspace: TestWorkspace;
let receiver: Receiver;
let sending: Sender;
let paths = 0;

beforeAll(async () => {
  home = await testDatabase();
  world = await startWorld(home.database);
  workspace = await world.workspace();
  receiver = await startReceiver();
  sending = start();
});

afterAll(async () => {
  await sending.stop();
  await receiver.stop();
  await world.stop();
  await home.drop();
});

afterEach(() => {
  jest.restoreAllMocks();
});

function start(options: Parameters<typeof sender>[1] = {}): Sender {
  return sender(home.database, { retryWaitsS: RETRY_WAITS_S, ...options });
}

/** A webhook with a path of its own, whose requests are answered so. */
async function hook(
  answerer: Answerer = answerStatus(200),
  options: { failingSince?: Date; subscribedEvents?: SubscribedEvent[] } = {},
) {
  paths += 1;
  const path = `/hook-${paths}`;
  receiver.answer(path, answerer);
  const of = {
    workspaceId: workspace.uuid,
    createdBy: workspace.ada.uuid,
    targetUrl: `${receiver.url}${path}`,
    ...options,
  };
  const webhook = await insertWebhook(home.database, of);
  return { ...webhook, path, got: () => receiver.at(path), deliveries: () => deliveriesOf(home.database, webhook) };
}

async function tell(webhook: StoredWebhook, ...happenings: Happening[]) {
  const published = await publish(home.database, [webhook], happenings.length > 0 ? happenings : [{}]);
  sending.wake();
  return published;
}

type Hook = Awaited<ReturnType<typeof hook>>;

/** Waits until the first delivery has so many attempts that are written down. */
const attempted = (of: Hook, count: number) =>
  until(`${count} attempts`, async () => {
    const [delivery] = await of.deliveries();
    return delivery?.attempts.length === count && delivery;
  });

/**
 * Does this, waits until the first delivery has so many attempts, and gives how long it waits for the next one. That
 * may be longer by the time that all of this took: the wait begins when the attempt is written down.
 */
async function waitAfter(work: () => Promise<unknown>, of: Hook, count: number) {
  const begun = performance.now();
  await work();
  const { status, waitMs } = await attempted(of, count);
  return { status, waitMs: waitMs ?? 0, tookMs: performance.now() - begun };
}

const ends = (of: Hook, status: string) =>
  until(`all are ${status}`, async () => {
    const all = await of.deliveries();
    return all.length > 0 && all.every((delivery) => delivery.status === status) && all;
  });

const statusOf = async ({ workspaceId, uuid }: StoredWebhook) => {
  const [row] = await home.database.read<{ status: string; stopped_because: string | null; version: number }>(
    `select w.status, w.stopped_because, s.webhooks_version::int as version
     from webhooks w join workspaces s on s.id = w.workspace_id where w.workspace_id = $1 and w.id = $2`,
    [workspaceId, uuid],
  );
  return row;
};

const verify = ({ secret }: { secret: string }, { headers, body }: Received) =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>);

describe("The request (docs/guides/webhook-deliveries.md#the-request)", () => {
  it("is one POST whose signature holds for the bytes that came", async () => {
    const mine = await hook();
    const recordId = newUuid();
    const [{ eventId } = { eventId: newUuid() }] = await tell(mine, { recordId });
    const [delivery] = await ends(mine, "succeeded");
    expect(mine.got()).toHaveLength(1);
    const [got] = mine.got();
    if (!got) throw new Error("Nothing came");
    const source = `${PUBLIC_URL}/v1/webhooks/${toId("webhook", mine.uuid)}`;
    const data = { id: toId("person", recordId), url: `${PUBLIC_URL}/v1/people/${toId("person", recordId)}` };
    const event = {
      id: toId("event", eventId),
      type: "person.created",
      createdAt: madeAt(eventId).toISOString(),
      source,
      data,
    };
    expect(verify(mine, got)).toEqual(event);
    expect(() => verify({ secret: newSecret() }, got)).toThrow();
    expect(got.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "contact-workspace-webhooks",
      "webhook-id": event.id,
    });
    expect(Object.keys(delivery?.attempts[0] ?? {})).toEqual([
      "at",
      "responseStatus",
      "error",
      "durationMs",
      "responseBody",
    ]);
    expect(delivery).toMatchObject({
      attempts: [{ responseStatus: 200, error: null, responseBody: "" }],
      waitMs: null,
    });
  });

  it("of a test tells of the webhook itself", async () => {
    const mine = await hook();
    const eventId = newUuid();
    await home.database.read(
      `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, next_attempt_at, created_at)
       values ($1, $2, $3, $4, 'webhook.test', $3, 'pending', now(), now())`,
      [mine.workspaceId, newUuid(), mine.uuid, eventId],
    );
    await endWaits(home.database, mine);
    sending.wake();
    await ends(mine, "succeeded");
    const id = toId("webhook", mine.uuid);
    const url = `${PUBLIC_URL}/v1/webhooks/${id}`;
    const createdAt = madeAt(eventId).toISOString();
    const [got] = mine.got();
    expect(got && verify(mine, got)).toEqual({
      id: toId("event", eventId),
      type: "webhook.test",
      createdAt,
      source: url,
      data: { id, url },
    });
  });

  it("has a signature by each secret that signs", async () => {
    const mine = await hook();
    const [replaced, ended] = [newSecret(), newSecret()];
    const seal = (secret: string) => sealing.seal(secret, webhookPurpose(mine.uuid)).toString("base64");
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const replacedSecrets = [
      { secret: seal(replaced), until: inMs(60_000) },
      { secret: seal(ended), until: inMs(-60_000) },
    ];
    await home.database.read("update webhooks set replaced_secrets = $2 where id = $1", [
      mine.uuid,
      JSON.stringify(replacedSecrets),
    ]);
    await tell(mine);
    await ends(mine, "succeeded");
    const [got] = mine.got();
    if (!got) throw new Error("Nothing came");
    expect(got.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    expect(() => [mine, { secret: replaced }].map((secret) => verify(secret, got))).not.toThrow();
    expect(() => verify({ secret: ended }, got)).toThrow();
  });

  it("has the time of the database, whatever clock its process has", async () => {
    const mine = await hook();
    const real = Date.now.bind(Date);
    jest.spyOn(Date, "now").mockImplementation(() => real() + 600_000);
    await tell(mine);
    await ends(mine, "succeeded");
    const [{ now } = { now: 0 }] = await home.database.read<{ now: number }>(
      "select extract(epoch from now())::float8 as now",
    );
    expect(Math.abs(Number(mine.got()[0]?.headers["webhook-timestamp"]) - now)).toBeLessThan(30);
  });
});

describe("Retries (docs/guides/webhook-deliveries.md#retries)", () => {
  it("send the same bytes with the same id, and a signature of their own", async () => {
    const mine = await hook((response, _, count) => response.writeHead(count === 1 ? 500 : 200).end());
    const { status, waitMs, tookMs } = await waitAfter(() => tell(mine), mine, 1);
    expect(status).toBe("pending");
    expect(waitMs).toBeGreaterThanOrEqual(18_000);
    expect(waitMs - tookMs).toBeLessThan(24_000);
    // The timestamp is in seconds: the next attempt has another one when the first was made long ago.
    const first = mine.got()[0];
    await until(
      "a second has passed",
      () => Math.floor(Date.now() / 1000) > Number(first?.headers["webhook-timestamp"]),
    );
    await endWaits(home.database, mine);
    await ends(mine, "succeeded");
    const [one, two] = mine.got();
    if (!one || !two) throw new Error("Two requests were to come");
    expect(two.body.equals(one.body)).toBe(true);
    expect(two.headers["webhook-id"]).toBe(one.headers["webhook-id"]);
    expect(two.headers["webhook-timestamp"]).not.toBe(one.headers["webhook-timestamp"]);
    expect(verify(mine, two)).toEqual(verify(mine, one));
  });

  it.each([
    ["seconds", () => "30", 30_000, 33_000],
    ["a date of HTTP", () => new Date(Date.now() + 40_000).toUTCString(), 37_000, 43_000],
    ["more than 24 hours", () => "999999999", 86_400_000, 86_403_000],
    ["less than the wait", () => "1", 18_000, 24_000],
    ["nothing that can be read", () => "soon", 18_000, 24_000],
  ])("wait as long as a receiver asks with %s", async (_, retryAfter, leastMs, mostMs) => {
    const mine = await hook((response) => response.writeHead(503, { "retry-after": retryAfter() }).end());
    const { waitMs, tookMs } = await waitAfter(() => tell(mine), mine, 1);
    expect(waitMs).toBeGreaterThanOrEqual(leastMs);
    expect(waitMs - tookMs).toBeLessThanOrEqual(mostMs);
  });

  it("end after ten attempts, each after its wait", async () => {
    const mine = await hook(answerStatus(500, {}, "broken"));
    let next = (): Promise<unknown> => tell(mine);
    for (const [i, waitS] of RETRY_WAITS_S.entries()) {
      const { waitMs, tookMs } = await waitAfter(next, mine, i + 1);
      expect(waitMs).toBeGreaterThanOrEqual(waitS * 900);
      expect(waitMs - tookMs).toBeLessThan(waitS * 1100 + 2000);
      next = () => endWaits(home.database, mine);
    }
    await next();
    const [failed] = await ends(mine, "failed");
    expect(failed?.attempts).toHaveLength(10);
    expect(failed?.attempts.at(-1)).toMatchObject({ responseStatus: 500, error: null, responseBody: "broken" });
    expect(await statusOf(mine)).toMatchObject({ status: "active" });
  });

  it("are not made without the key of the secret: deliveries wait for it, and the log names it once", async () => {
    await sending.stop();
    const mine = await hook();
    await publish(home.database, [mine], [{}, {}, {}]);
    const keyless = createSealing([keyOf(Buffer.alloc(32, 9), "database")]);
    sending = start({ opening: keyless });
    await until("they wait", async () => {
      const [row] = await home.database.read<{ count: number }>(
        `select count(*)::int as count from deliveries
         where webhook_id = $1 and next_attempt_at between now() + interval '30 s' and now() + interval '61 s'`,
        [mine.uuid],
      );
      return row?.count === 3;
    });
    await sending.stop();
    expect((await mine.deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 3 }, () => ["pending", []]),
    );
    expect((await queueOf(home.database, mine))?.failing_since).toBeNull();
    const { id } = keyOf(Buffer.alloc(32, 7), "database");
    expect(sending.log).toEqual([expect.stringContaining(`the key ${id}`)]);
    sending = start();
    await endWaits(home.database, mine);
    await ends(mine, "succeeded");
  });

  it("are not made of what its owner does not see any more, nor of an event that is gone", async () => {
    const group = await workspace.group(await workspace.user("Grace Hopper"));
    const mine = await hook();
    const hidden = group.id.slice(4) as StoredWebhook["uuid"];
    await tell(mine, { type: "object.created", body: { home: hidden, objectType: "Deals" } });
    expect((await ends(mine, "cancelled"))[0]?.attempts).toEqual([]);
    const other = await hook(answerStatus(500));
    await tell(other);
    await attempted(other, 1);
    await home.database.read("delete from change_log where workspace_id = $1", [other.workspaceId]);
    await endWaits(home.database, other);
    const [gone] = await ends(other, "failed");
    expect(gone?.attempts.at(-1)).toMatchObject({ responseStatus: null, error: "the event is no longer kept" });
    expect([mine.got().length, other.got().length]).toEqual([0, 1]);
  });

  it("are made as long as the filters ask for the event by what the owner sees of it (docs/guides/webhooks.md#who-sees-what)", async () => {
    const bob = await workspace.user("Bob Stone");
    const jobTitle = ["jobTitle"];
    const filters: ((group: string) => SubscribedEvent["filter"])[] = [
      (groupId) => ({ groupId }),
      (groupId) => ({ groupId, path: jobTitle }),
      (groupId) => ({ path: ["customFieldValues", groupId, "Stage"], value: "Won" }),
    ];
    for (const filterOn of filters) {
      const group = await workspace.group(bob, { members: [[workspace.ada, "reader"]] });
      const groups = [group.id.slice(4) as StoredWebhook["uuid"]];
      const changes = [
        { path: jobTitle, type: "set" as const, value: "CTO" },
        { path: ["customFieldValues", group.id, "Stage"], type: "set" as const, value: "Won" },
      ];
      const filter = filterOn(group.id);
      const mine = await hook(answerStatus(500), {
        subscribedEvents: [{ eventType: "person.updated", filter }, { eventType: "person.deleted" }],
      });
      await tell(
        mine,
        { type: "person.updated", body: { groups, changes } },
        { type: "person.deleted", body: { groups } },
      );
      await until("both were tried", async () =>
        (await mine.deliveries()).every(({ attempts }) => attempts.length === 1),
      );
      await workspace.leave(bob, group, workspace.ada);
      receiver.answer(mine.path, answerStatus(200));
      await endWaits(home.database, mine);
      sending.wake();
      await until("both have ended", async () => (await mine.deliveries()).every(({ status }) => status !== "pending"));
      expect((await mine.deliveries()).map(({ status }) => status)).toEqual(["cancelled", "succeeded"]);
      expect(mine.got().map(({ json }) => json)).toMatchObject([{}, {}, { type: "person.deleted" }]);
    }
  });

  it("are not made of what waited when an admin took the webhook over who does not see what its filters ask for", async () => {
    const bob = await workspace.user("Bob Stone");
    const group = await workspace.group(bob);
    const groups = [group.id.slice(4) as StoredWebhook["uuid"]];
    const changes = [{ path: ["jobTitle"], type: "set" as const, value: "CTO" }];
    const wide: SubscribedEvent[] = [{ eventType: "person.updated" }, { eventType: "person.deleted" }];
    // Ada's webhook as it is after she took it over from Bob.
    const mine = await hook(answerStatus(200), { subscribedEvents: wide });
    await sending.stop();
    await publish(
      home.database,
      [mine],
      [
        { type: "person.updated", body: { groups, changes } },
        { type: "person.deleted", body: { groups } },
      ],
    );
    const subscribedEvents = [{ eventType: "person.updated", filter: { groupId: group.id } }, wide[1]];
    await home.database.read("update webhooks set taken_over = $2 where id = $1", [
      mine.uuid,
      JSON.stringify({ at: new Date().toISOString(), subscribedEvents }),
    ]);
    sending = start();
    await until("both have ended", async () => (await mine.deliveries()).every(({ status }) => status !== "pending"));
    expect((await mine.deliveries()).map(({ status }) => status)).toEqual(["cancelled", "succeeded"]);
    await tell(mine, { type: "person.updated", body: { groups, changes } });
    await until("what happened since has come", () => mine.got().length === 2);
  });
});

describe("When a webhook is switched off (docs/guides/webhook-deliveries.md#when-a-webhook-is-switched-off)", () => {
  it("by 410, nothing more is sent, and what is pending is cancelled", async () => {
    const mine = await hook(answerStatus(410));
    const before = await statusOf(mine);
    await tell(mine, ...Array.from({ length: 60 }, () => ({})));
    const all = await until("nothing is pending", async () => {
      const now = await mine.deliveries();
      return now.every(({ status }) => status !== "pending") && now;
    });
    // What was under way at that moment ends.
    expect(mine.got().length).toBeLessThanOrEqual(8);
    expect(all.filter(({ status }) => status === "failed").length).toBeGreaterThanOrEqual(1);
    expect(all.filter(({ status }) => status === "cancelled").length).toBeGreaterThanOrEqual(52);
    expect(await statusOf(mine)).toMatchObject({ status: "inactive", stopped_because: "gone" });
    expect((await statusOf(mine))?.version).toBe((before?.version ?? 0) + 1);
  });

  it("not by a 410 of the target that it had before: the delivery goes to the new one", async () => {
    let answer: () => void = () => undefined;
    const mine = await hook((response) => {
      answer = () => response.writeHead(410).end();
    });
    await tell(mine);
    await until("it has come", () => mine.got().length === 1);
    await home.database.read("update webhooks set target_url = target_url || '-new' where id = $1", [mine.uuid]);
    answer();
    const [sent] = await ends(mine, "succeeded");
    expect(sent?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([410, 200]);
    expect(receiver.at(`${mine.path}-new`)).toHaveLength(1);
    expect(await statusOf(mine)).toMatchObject({ status: "active" });
  });

  it("with many deliveries, all of them are cancelled, unless the server is stopped", async () => {
    await sending.stop();
    const mine = await hook();
    await publish(
      home.database,
      [mine],
      Array.from({ length: 1200 }, () => ({})),
    );
    await home.database.read("update webhooks set status = 'inactive', stopped_at = now() where id = $1", [mine.uuid]);
    const queue = {
      workspaceId: mine.workspaceId,
      webhookId: mine.uuid,
      lease: newUuid(),
      isFailing: false,
      status: "inactive",
    } as const;
    await cancelStopped(home.database.queryPlanned, queue, AbortSignal.abort());
    expect(new Set((await mine.deliveries()).map(({ status }) => status))).toEqual(new Set(["pending"]));
    await cancelStopped(home.database.queryPlanned, queue, new AbortController().signal);
    expect(new Set((await mine.deliveries()).map(({ status }) => status))).toEqual(new Set(["cancelled"]));
    sending = start();
  });

  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const lastAttempt = async (mine: Hook) => {
    await tell(mine);
    const attempts = Array.from({ length: 9 }, () => ({ at: new Date(), responseStatus: 500 }));
    await home.database.read("update deliveries set attempts = $2 where webhook_id = $1", [
      mine.uuid,
      JSON.stringify(attempts),
    ]);
  };

  it("after 5 days without a success, with a delivery that failed for good", async () => {
    const mine = await hook(answerStatus(500), { failingSince: days(5.01) });
    await sending.stop();
    await lastAttempt(mine);
    sending = start();
    await ends(mine, "failed");
    await until("it is inactive", async () => (await statusOf(mine))?.status === "inactive");
    expect(await statusOf(mine)).toMatchObject({ stopped_because: "failing" });
    expect(sending.log).toContainEqual(expect.stringContaining(toId("webhook", mine.uuid)));
  });

  it("not before, and not when an attempt has succeeded in between", async () => {
    await sending.stop();
    const early = await hook(answerStatus(500), { failingSince: days(4.99) });
    const mended = await hook(
      (response, { json }) => response.writeHead(json.type === "note.deleted" ? 200 : 500).end(),
      {
        failingSince: days(20),
      },
    );
    await publish(home.database, [mended], [{ type: "note.deleted" }]);
    sending = start();
    await ends(mended, "succeeded");
    await until("the success is noted", async () => (await queueOf(home.database, mended))?.failing_since === null);
    await sending.stop();
    await home.database.read("delete from deliveries where webhook_id = $1", [mended.uuid]);
    await Promise.all([lastAttempt(early), lastAttempt(mended)]);
    sending = start();
    await Promise.all([ends(early, "failed"), ends(mended, "failed")]);
    await until("both are given back", async () => {
      const queues = await Promise.all([queueOf(home.database, early), queueOf(home.database, mended)]);
      return queues.every((queue) => queue?.lease === null);
    });
    expect([(await statusOf(early))?.status, (await statusOf(mended))?.status]).toEqual(["active", "active"]);
    expect((await queueOf(home.database, mended))?.failing_since).not.toBeNull();
  });

  it("by a client, what is pending is cancelled; and stays so when it is active again", async () => {
    const mine = await hook(answerStatus(500));
    await tell(mine, ...Array.from({ length: 3 }, () => ({})));
    await until("all were attempted", async () =>
      (await mine.deliveries()).every(({ attempts }) => attempts.length === 1),
    );
    await home.database.read(
      // The columns have milliseconds: the delivery below must not be of the same one.
      "update webhooks set status = 'inactive', stopped_at = now() - interval '2 ms', stopped_because = 'client' where id = $1",
      [mine.uuid],
    );
    await home.database.read("update webhooks set status = 'active' where id = $1", [mine.uuid]);
    receiver.answer(mine.path, answerStatus(200));
    const [{ eventId } = { eventId: "" }] = await tell(mine);
    await endWaits(home.database, mine);
    await until("nothing is pending", async () =>
      (await mine.deliveries()).every(({ status }) => status !== "pending"),
    );
    expect((await mine.deliveries()).map(({ status }) => status)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
      "succeeded",
    ]);
    expect(
      mine
        .got()
        .map(({ json }) => json.id)
        .slice(3),
    ).toEqual([`evt_${eventId}`]);

    const off = await hook(answerStatus(500));
    await tell(off, ...Array.from({ length: 3 }, () => ({})));
    await until("all were attempted", async () =>
      (await off.deliveries()).every(({ attempts }) => attempts.length === 1),
    );
    await home.database.read("update webhooks set status = 'inactive', stopped_at = now() where id = $1", [off.uuid]);
    await home.database.read("update webhook_queues set due_at = now() where webhook_id = $1", [off.uuid]);
    sending.wake();
    await ends(off, "cancelled");
    expect(off.got()).toHaveLength(3);
  });

  it("by deleting it, nothing is sent, and its queue is marked as gone", async () => {
    const mine = await hook();
    await sending.stop();
    await tell(mine, {}, {});
    await home.database.read("delete from webhooks where id = $1", [mine.uuid]);
    sending = start();
    await until("it is marked", async () => (await queueOf(home.database, mine))?.is_gone === true);
    expect(await queueOf(home.database, mine)).toMatchObject({ due_at: null, lease: null });
    expect(mine.got()).toEqual([]);
    expect((await mine.deliveries()).map(({ status }) => status)).toEqual(["pending", "pending"]);
  });

  it("in the middle of many deliveries, the next one is not sent", async () => {
    const mine = await hook();
    let answerFirst: () => void = () => undefined;
    receiver.answer(mine.path, (response) => {
      answerFirst = () => response.end();
    });
    const recordId = newUuid();
    await tell(mine, ...Array.from({ length: 20 }, () => ({ recordId })));
    await until("the first has come", () => mine.got().length === 1);
    await home.database.read("update webhooks set status = 'inactive', stopped_at = now() where id = $1", [mine.uuid]);
    answerFirst();
    await until("nothing is pending", async () =>
      (await mine.deliveries()).every(({ status }) => status !== "pending"),
    );
    expect(mine.got()).toHaveLength(1);
  });
});
