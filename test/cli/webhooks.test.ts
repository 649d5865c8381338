import { beforeAll, expect, test } from "@jest/globals";
import { madeAt, newUuid, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { type Delivery, followDeliveries } from "../../cli/commands/webhooks.ts";
import { adminScene } from "../support/admin-scene.ts";
import { publishOne } from "../support/events.ts";

let workspaceId: Uuid;
const { admin } = adminScene(
  "workspace: acme\nusers: [{ email: ada@acme.test }, { email: bob@acme.test, role: member }]\n",
);
const database = { read: (sql: string, values: unknown[]) => admin.query(sql, values) } as Parameters<
  typeof publishOne
>[0];

interface Listed {
  webhooks: Record<string, unknown>[];
}

beforeAll(async () => {
  const [{ id } = { id: "" as Uuid }] = await admin.query<{ id: Uuid }>(
    "select id from workspaces where slug = 'acme'",
  );
  workspaceId = id;
});

/** A webhook of a user, made as the API makes it. */
async function webhook(email = "bob@acme.test", eventType = "person.deleted"): Promise<string> {
  const [user] = await admin.query<{ id: Uuid }>("select id from users where email = $1", [email]);
  const caller = { workspaceId, userId: user?.id ?? newUuid(), keyId: null, access: "full" as const };
  const body = { name: "Mine", targetUrl: "https://receiver.invalid/in", subscribedEvents: [{ eventType }] };
  return JSON.parse(await admin.call<string>("webhooks.create", { body }, caller)).id;
}

/** Ends a delivery as an attempt does. */
async function end(id: string, status: string, attempt: object = {}): Promise<void> {
  const attempts = [
    {
      at: "2026-03-01T09:30:00.000Z",
      responseStatus: 200,
      error: null,
      durationMs: 12,
      responseBody: "ok",
      ...attempt,
    },
  ];
  await admin.query("update deliveries set status = $2, attempts = $3::json where id = $1", [
    uuidOf("delivery", id),
    status,
    JSON.stringify(attempts),
  ]);
}

const json = async <Result>(words: string) => (await admin.run(`webhooks ${words} --json`)).json<Result>();

test("list tells whose the webhooks are, how they are, and why they stopped (docs/guides/webhooks.md#on-the-command-line)", async () => {
  const [active, stopped] = [await webhook("ada@acme.test"), await webhook()];
  await admin.run(`webhooks test ${active}`);
  await admin.run(`webhooks test ${stopped}`);
  await admin.query("update webhook_queues set last_success_at = '2026-03-01T09:30:00Z' where webhook_id = $1", [
    uuidOf("webhook", active),
  ]);
  await admin.query(
    "update webhooks set status = 'inactive', stopped_at = '2999-01-01', stopped_because = 'gone' where id = $1",
    [uuidOf("webhook", stopped)],
  );
  const common = { name: "Mine", targetUrl: "https://receiver.invalid/in" };
  expect(await json<Listed>("list --workspace acme")).toEqual({
    webhooks: [
      {
        ...common,
        id: active,
        owner: { id: expect.stringMatching(/^usr_/), email: "ada@acme.test" },
        status: "active",
        stoppedBecause: null,
        stoppedAt: null,
        pending: 1,
        lastSuccessAt: "2026-03-01T09:30:00.000Z",
      },
      {
        ...common,
        id: stopped,
        owner: { id: expect.stringMatching(/^usr_/), email: "bob@acme.test" },
        status: "inactive",
        stoppedBecause: "gone",
        stoppedAt: "2999-01-01T00:00:00.000Z",
        pending: 0,
        lastSuccessAt: null,
      },
    ],
  });
  const { out } = await admin.run("webhooks list --workspace acme");
  expect(out.split("\n")[1]).toMatch(/^wbk_\S+ {2}ada@acme.test {2}active +- +1 +2026-03-01T09:30:00.000Z {2}https:/);
});

test("test makes a delivery of a test, in the name of the owner", async () => {
  const id = await webhook();
  expect(await json<Delivery>(`test ${id}`)).toMatchObject({
    eventType: "webhook.test",
    recordId: id,
    status: "pending",
  });
  expect((await admin.run(`webhooks test ${id}`)).out).toMatch(/^dlv_\S+ will be sent; "webhooks tail wbk_/);
});

test("replay sends one delivery again, or all events since a time", async () => {
  const id = await webhook();
  const { id: deliveryId, ...first } = await json<Delivery & { eventId: string }>(`test ${id}`);
  const again = await json<Delivery>(`replay ${id} --delivery ${deliveryId}`);
  expect(again).toMatchObject({ eventId: first.eventId, status: "pending" });
  expect(again.id).not.toBe(deliveryId);
  const event = await publishOne(database, workspaceId, { type: "person.deleted" });
  const since = madeAt(event.id).toISOString();
  expect(await json(`replay ${id} --since ${since}`)).toEqual({ replayed: 1 });
  expect((await admin.run(`webhooks replay ${id} --since 2999-01-01`)).out).toBe("0 events to be sent again");
});

test("replay --since asks with the number of events, and --dry-run only tells it (docs/guides/commands.md#questions)", async () => {
  const id = await webhook("ada@acme.test", "company.deleted");
  const [first] = [
    await publishOne(database, workspaceId, { type: "company.deleted" }),
    await publishOne(database, workspaceId, { type: "company.deleted" }),
  ];
  const words = `webhooks replay ${id} --since ${madeAt(first.id).toISOString()}`;
  const pending = async () =>
    (await json<Listed>("list --workspace acme")).webhooks.find((one) => one.id === id)?.pending;
  expect((await admin.run(`${words} --dry-run`)).out).toBe("2 events would be sent again");
  expect((await admin.run(`${words} --dry-run --json`)).json()).toEqual({ events: 2 });
  const no = await admin.answering("n", words);
  expect(no).toMatchObject({ code: 1, err: "The answer was not yes, so nothing was done." });
  expect(no.asked).toEqual(["This sends 2 events to the webhook. Continue? [y/N] "]);
  expect((await admin.inRepl(words)).err).toContain("add --yes to continue");
  expect(await pending()).toBe(0);
  expect((await admin.answering("y", words)).out).toBe("2 events to be sent again");
  expect(await admin.answering("", `${words} --yes`)).toMatchObject({ out: "2 events to be sent again", asked: [] });
  expect(await pending()).toBe(4);
  expect((await admin.answering("", `webhooks replay ${id} --since 2999-01-01`)).asked).toEqual([]);
});

test("rotate shows the new secret this once", async () => {
  const id = await webhook();
  const { code, out } = await admin.run(`webhooks rotate ${id}`);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
  expect(await json(`rotate ${id}`)).toMatchObject({ id, signingSecret: expect.not.stringContaining(out) });
});

test("tail --once prints the latest deliveries, the oldest first, one a line", async () => {
  const id = await webhook();
  const [first, second] = [await json<Delivery>(`test ${id}`), await json<Delivery>(`test ${id}`)];
  await end(first.id, "failed", { responseStatus: null, error: "The connection was refused" });
  const { out } = await admin.run(`webhooks tail ${id} --once`);
  expect(out.split("\n")).toEqual([
    `2026-03-01T09:30:00.000Z  ${first.id}  failed  webhook.test  ${id}  1 attempt  The connection was refused`,
    `${second.createdAt}  ${second.id}  pending  webhook.test  ${id}  0 attempts`,
  ]);
  const lines = (await admin.run(`webhooks tail ${id} --once --json`)).out.split("\n");
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([first.id, second.id]);
});

test("tail prints what has ended, then each delivery once when it ends, until it is interrupted", async () => {
  const id = await webhook();
  const [done, slow] = [await json<Delivery>(`test ${id}`), await json<Delivery>(`test ${id}`)];
  await end(done.id, "succeeded");
  const printed: string[] = [];
  const interrupt = new AbortController();
  let late: Delivery | undefined;
  /** What happens between two looks. */
  const steps = [
    async () => {
      late = await json<Delivery>(`test ${id}`);
    },
    () => end(slow.id, "failed"),
    () => end(late?.id ?? "", "cancelled"),
    async () => undefined,
    async () => interrupt.abort(),
  ];
  const pause = async () => steps.shift()?.();
  await followDeliveries(admin, id, ({ id: one, status }) => printed.push(`${one} ${status}`), interrupt.signal, pause);
  expect(printed).toEqual([`${done.id} succeeded`, `${slow.id} failed`, `${late?.id} cancelled`]);
});

test("tail follows a delivery however many newer ones there are", async () => {
  const id = await webhook();
  const slow = await json<Delivery>(`test ${id}`);
  const printed: string[] = [];
  const interrupt = new AbortController();
  const steps = [
    async () => {
      await admin.query(
        `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
         select workspace_id, n::uuid, webhook_id, event_id, event_type, record_id, 'cancelled', now()
         from deliveries, unnest($2::text[]) n where id = $1`,
        [uuidOf("delivery", slow.id), Array.from({ length: 1_000 }, () => newUuid())],
      );
      await end(slow.id, "failed");
    },
    async () => interrupt.abort(),
  ];
  const pause = async () => steps.shift()?.();
  await followDeliveries(admin, id, ({ id: one }) => printed.push(one), interrupt.signal, pause);
  expect([printed.length, printed[0]]).toEqual([1_001, slow.id]);
});

test("tail goes on only where it can be interrupted, which the REPL cannot do", async () => {
  const { code, err } = await admin.run(`webhooks tail ${await webhook()}`);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("--once") });
});

test("unknown webhooks, deliveries and workspaces are errors, and wrong words wrong usage", async () => {
  const id = await webhook();
  const unknown = toId("webhook", newUuid());
  const cases: [string, 1 | 2][] = [
    ["list --workspace nowhere", 1],
    [`test ${unknown}`, 1],
    [`tail ${unknown} --once`, 1],
    [`rotate ${unknown}`, 1],
    [`replay ${id} --delivery ${toId("delivery", newUuid())}`, 1],
    ["list", 2],
    ["test", 2],
    ["test wbk_1", 2],
    [`replay ${id}`, 2],
    [`replay ${id} --delivery dlv_1`, 2],
    [`replay ${id} --since soon`, 2],
    [`replay ${id} --since 2026-01-01 --delivery ${toId("delivery", newUuid())}`, 2],
  ];
  for (const [words, expected] of cases) {
    const { code, out, err } = await admin.run(`webhooks ${words}`);
    expect([words, code, out, err.split("\n").length]).toEqual([words, expected, "", 1]);
  }
});

/** Webhooks that a key has made, changed in its target, and given a new secret. */
async function webhooksOfKey(): Promise<{ key: string; ids: string[] }> {
  const { json: made } = await admin.run("keys create --workspace acme --user ada@acme.test --json");
  const { id: key } = made<{ id: string }>();
  const [user] = await admin.query<{ id: Uuid }>("select id from users where email = 'ada@acme.test'");
  const caller = { workspaceId, userId: user?.id ?? newUuid(), keyId: uuidOf("key", key), access: "full" as const };
  const body = {
    name: "Mine",
    targetUrl: "https://receiver.invalid/in",
    subscribedEvents: [{ eventType: "person.deleted" }],
  };
  const ids = [
    JSON.parse(await admin.call<string>("webhooks.create", { body }, caller)).id,
    await webhook("ada@acme.test"),
    await webhook("ada@acme.test"),
  ];
  await admin.call("webhooks.update", { webhookId: ids[1], body: { targetUrl: "https://stranger.invalid/" } }, caller);
  await admin.call("webhooks.rotateSecret", { webhookId: ids[2] }, caller);
  // It stands there once.
  await admin.call("webhooks.update", { webhookId: ids[1], body: { name: "Still hers" } }, caller);
  return { key, ids };
}

test("keys revoke names the webhooks that were made or changed with the key, and pauses them when it is told to", async () => {
  const { key, ids } = await webhooksOfKey();
  await webhook("ada@acme.test");
  const listed = (await json<Listed>("list --workspace acme")).webhooks;
  expect(listed.filter(({ keyIds }) => (keyIds as string[] | undefined)?.includes(key)).map(({ id }) => id)).toEqual(
    ids,
  );
  for (const id of ids) expect(listed.find((one) => one.id === id)).toMatchObject({ keyIds: [key] });

  const revoked = await admin.run("keys revoke --json", key);
  expect(revoked.json()).toEqual({
    id: key,
    revokedAt: expect.stringMatching(/Z$/),
    webhooks: ids.map((id) => expect.objectContaining({ id, status: "active", targetUrl: expect.any(String) })),
  });
  for (const id of [...ids, "https://stranger.invalid/", "--pause-webhooks"]) expect(revoked.err).toContain(id);

  const paused = await admin.run("keys revoke --pause-webhooks --json", key);
  expect(paused.json()).toMatchObject({ webhooks: ids.map((id) => ({ id, status: "inactive" })) });
  const after = (await json<Listed>("list --workspace acme")).webhooks;
  expect(after.filter(({ status }) => status === "inactive").map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  // Nothing is left to be told or asked, and they are named all the same.
  expect(await admin.answering("y", "keys revoke", key)).toMatchObject({ code: 0, asked: [] });
});

test.each([
  ["y", "inactive"],
  ["", "active"],
])(
  "at a terminal keys revoke asks whether webhooks of the key are paused: %j leaves them %s",
  async (answer, status) => {
    const { key, ids } = await webhooksOfKey();
    const { code, asked, out } = await admin.answering(answer, "keys revoke", key);
    expect({ code, asked }).toEqual({ code: 0, asked: ["Make them inactive? [y/N] "] });
    // The key has ended before.
    expect(out).toMatch(/is revoked since/);
    const { webhooks } = await json<Listed>("list --workspace acme");
    expect(webhooks.filter(({ id }) => ids.includes(String(id))).map((one) => one.status)).toEqual([
      status,
      status,
      status,
    ]);
  },
);
