import { expect, it } from "@jest/globals";
import { firstUuidOf, newUuid, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Item } from "../support/client.ts";
import { type Published, publishOne, type TestEvent } from "../support/events.ts";
import { describeServer } from "../support/scene.ts";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

const ids = (items: Item[]) => items.map(({ id }) => id);

describeServer("Deliveries", (scene) => {
  async function setUp(...types: string[]) {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const subscribedEvents = (types.length > 0 ? types : ["person.deleted"]).map((eventType) => ({ eventType }));
    const sent = { name: "Mine", targetUrl: "https://receiver.invalid/in", subscribedEvents };
    const { data: webhook } = await api.post("/v1/webhooks", sent);
    const path = `/v1/webhooks/${webhook.id}`;
    // Events of these tests are sent again only. The publisher, which looks at every log now and then, has "passed" them.
    await scene.server.database.read("update webhook_progress set through = 1e15 where workspace_id = $1", [
      workspace.uuid,
    ]);
    /** A delivery as it is when an event was tried. */
    const insert = async (status: string, attempts: object[] = [], event: Published) => {
      const id = newUuid();
      await scene.server.database.read(
        `insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status, attempts, created_at)
         values ($1, $2, $3, $4, $5, 'person.deleted', $6, $7, $8::json, now())`,
        [
          workspace.uuid,
          id,
          uuidOf("webhook", webhook.id),
          event.position,
          event.id,
          event.recordId,
          status,
          JSON.stringify(attempts),
        ],
      );
      return toId("delivery", id);
    };
    const happen = (type: TestEvent["type"] = "person.deleted", body: TestEvent["body"] = {}, id = newUuid()) =>
      publishOne(scene.server.database, workspace.uuid, { type, body, id });
    const dueAt = async () => {
      const [row] = await scene.server.database.read<{ due_at: Date | null }>(
        "select due_at from webhook_queues where webhook_id = $1",
        [uuidOf("webhook", webhook.id)],
      );
      return row?.due_at ?? null;
    };
    return { workspace, api, webhook, path, insert, happen, dueAt };
  }

  it("of a test are about the webhook itself, and answered while they are pending (docs/guides/webhooks.md#testing)", async () => {
    const { api, webhook, path, dueAt } = await setUp();
    expect(await dueAt()).toBeNull();
    const { data } = await api.post(`${path}/test`);
    expect(Object.keys(data)).toEqual([
      "id",
      "eventId",
      "eventType",
      "recordId",
      "status",
      "attempts",
      "nextAttemptAt",
      "createdAt",
    ]);
    expect(data).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-f-]{36}$/),
      eventId: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      eventType: "webhook.test",
      recordId: webhook.id,
      status: "pending",
      attempts: [],
      nextAttemptAt: expect.stringMatching(TIMESTAMP),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await dueAt()).toBeInstanceOf(Date);
    const { data: again } = await api.post(`${path}/test`, {});
    expect(again.eventId).not.toBe(data.eventId);
    expect((await api.post(`${path}/test`, { more: 1 })).issues).toMatchObject([{ code: "unrecognized_keys" }]);
  });

  it("are listed with their attempts, the newest first, and by status (docs/guides/webhooks.md#deliveries)", async () => {
    const { api, path, insert, happen } = await setUp();
    const event = await happen();
    const failed = {
      at: "2026-03-01T09:30:00.000Z",
      responseStatus: null,
      error: "refused",
      durationMs: 3,
      responseBody: "",
    };
    const served = {
      at: "2026-03-01T09:30:05.000Z",
      responseStatus: 200,
      error: null,
      durationMs: 12,
      responseBody: "ok",
    };
    const done = await insert("succeeded", [failed, served], event);
    const lost = await insert("failed", [failed], event);
    const dropped = await insert("cancelled", [], event);
    const { items } = await api.get(`${path}/deliveries`);
    expect(ids(items)).toEqual([dropped, lost, done]);
    expect(items[2]).toEqual({
      id: done,
      eventId: toId("event", event.id),
      eventType: "person.deleted",
      recordId: toId("person", event.recordId),
      status: "succeeded",
      attempts: [{ ...failed, responseBody: "" }, served],
      nextAttemptAt: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    for (const [status, id] of [
      ["succeeded", done],
      ["failed", lost],
      ["cancelled", dropped],
    ])
      expect(ids((await api.get(`${path}/deliveries?status=${status}`)).items)).toEqual([id]);
    expect((await api.get(`${path}/deliveries?status=pending`)).items).toEqual([]);
    expect((await api.get(`${path}/deliveries?status=lost`)).issues).toMatchObject([
      { code: "invalid_enum_value", path: ["status"] },
    ]);
    expect((await api.pages(`${path}/deliveries?limit=2`)).map(ids)).toEqual([[dropped, lost], [done]]);
  });

  it("of one webhook are not those of another, and a cursor is good for its webhook only", async () => {
    const { api, path } = await setUp();
    const sent = {
      name: "Other",
      targetUrl: "https://other.invalid/",
      subscribedEvents: [{ eventType: "note.created" }],
    };
    const { data: other } = await api.post("/v1/webhooks", sent);
    const { data: own } = await api.post(`${path}/test`);
    await api.post(`${path}/test`);
    expect((await api.get(`/v1/webhooks/${other.id}/deliveries`)).items).toEqual([]);
    expect((await api.post(`/v1/webhooks/${other.id}/deliveries/${own.id}/replay`)).error.code).toBe(
      "RESOURCE_NOT_FOUND",
    );
    const { nextLink = "" } = await api.get(`${path}/deliveries?limit=1`);
    const { searchParams } = new URL(nextLink);
    const moved = await api.get(`/v1/webhooks/${other.id}/deliveries?limit=1&cursor=${searchParams.get("cursor")}`);
    expect(moved.issues).toEqual([{ code: "custom", path: ["cursor"] }]);
  });

  it("that were pending when the webhook became inactive are cancelled, also when it is active again (docs/guides/webhooks.md#deliveries)", async () => {
    const { api, path } = await setUp();
    const { data: before } = await api.post(`${path}/test`);
    await api.patch(path, { status: "inactive" });
    const cancelled = { id: before.id, status: "cancelled", nextAttemptAt: null };
    expect((await api.get(`${path}/deliveries`)).items).toMatchObject([cancelled]);
    await api.patch(path, { status: "active" });
    const { data: after } = await api.post(`${path}/test`);
    expect(after.status).toBe("pending");
    expect((await api.get(`${path}/deliveries?status=cancelled`)).items).toMatchObject([cancelled]);
    expect(ids((await api.get(`${path}/deliveries?status=pending`)).items)).toEqual([after.id]);
  });

  it("are not made while the webhook is inactive: that is 422 (docs/guides/webhooks.md#status)", async () => {
    const { api, path, insert, happen } = await setUp();
    const old = await insert("failed", [], await happen());
    await api.patch(path, { status: "inactive" });
    const requests: [string, object][] = [
      ["test", {}],
      [`deliveries/${old}/replay`, {}],
      ["replay", { since: "2020-01-01" }],
    ];
    for (const [below, body] of requests)
      expect([below, (await api.post(`${path}/${below}`, body)).issues]).toEqual([
        below,
        [{ code: "custom", path: [] }],
      ]);
    expect(ids((await api.get(`${path}/deliveries`)).items)).toEqual([old]);
  });

  it("are sent again as new ones of the same event (docs/guides/webhooks.md#sending-again)", async () => {
    const { api, path, insert, happen } = await setUp();
    const event = await happen();
    const old = await insert("failed", [], event);
    const { data: again } = await api.post(`${path}/deliveries/${old}/replay`);
    expect(again).toMatchObject({
      eventId: toId("event", event.id),
      eventType: "person.deleted",
      recordId: toId("person", event.recordId),
      status: "pending",
      attempts: [],
    });
    expect(again.id).not.toBe(old);
    const { data: test } = await api.post(`${path}/test`);
    expect((await api.post(`${path}/deliveries/${test.id}/replay`)).data).toMatchObject({
      eventId: test.eventId,
      recordId: test.recordId,
    });
    for (const id of [toId("delivery", newUuid()), "x".repeat(40)])
      expect((await api.post(`${path}/deliveries/${id}/replay`)).error.code).toBe("RESOURCE_NOT_FOUND");
  });

  it("are not sent again when their event is no longer kept", async () => {
    const { api, path, insert, happen } = await setUp();
    const event = await happen();
    const old = await insert("failed", [], event);
    await scene.server.database.read("delete from change_log where seq = $1", [event.position]);
    expect((await api.post(`${path}/deliveries/${old}/replay`)).issues).toEqual([
      { code: "custom", path: ["deliveryId"] },
    ]);
  });

  it("of the two events of one write are made and sent again each by itself, in their order", async () => {
    const { workspace, api, path, happen } = await setUp("person.updated", "person.groups_updated");
    const group = await workspace.group(workspace.ada);
    const changes = [
      { path: ["jobTitle"], before: null, after: "CTO" },
      { path: ["groups"], before: [], after: [{ id: group.id }] },
    ];
    await happen("person.updated+groups_updated", { changes });
    await happen("person.updated", { changes: changes.slice(0, 1) });
    const since = new Date(Date.now() - DAY_MS).toISOString();
    expect((await api.post(`${path}/replay`, { since })).data).toEqual({ replayed: 3 });
    const { items } = await api.get(`${path}/deliveries`);
    expect(items.map(({ eventType }) => eventType)).toEqual([
      "person.updated",
      "person.groups_updated",
      "person.updated",
    ]);
    expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(3);
    const again = await api.post(`${path}/deliveries/${items[1]?.id}/replay`);
    expect(again.data).toMatchObject({ eventType: "person.groups_updated", eventId: items[1]?.eventId });
    await api.patch(path, { subscribedEvents: [{ eventType: "person.groups_updated" }] });
    expect((await api.post(`${path}/replay`, { since })).data).toEqual({ replayed: 1 });
  });

  it("of all events since a time are made for what the webhook subscribes to, in their order (docs/guides/webhooks.md#sending-again)", async () => {
    const { api, path, happen } = await setUp("person.deleted", "company.deleted");
    const lastWeek = firstUuidOf(Date.now() - 7 * DAY_MS);
    const old = await happen("person.deleted", {}, lastWeek);
    const [first, second] = [await happen("company.deleted"), await happen("person.deleted")];
    await happen("company.created");
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    expect((await api.post(`${path}/replay`, { since: yesterday })).data).toEqual({ replayed: 2 });
    const { items } = await api.get(`${path}/deliveries`);
    expect(items.map(({ eventId }) => eventId)).toEqual([second, first].map(({ id }) => toId("event", id)));
    const monthAgo = new Date(Date.now() - 30 * DAY_MS).toISOString();
    expect((await api.post(`${path}/replay`, { since: monthAgo.slice(0, 10) })).data).toEqual({ replayed: 3 });
    expect((await api.get(`${path}/deliveries?limit=3`)).items[2]?.eventId).toBe(toId("event", old.id));
    expect((await api.post(`${path}/replay`, { since: "2999-01-01" })).data).toEqual({ replayed: 0 });
    for (const body of [{}, { since: "soon" }, { since: 7 }])
      expect((await api.post(`${path}/replay`, body)).issues).toMatchObject([{ path: ["since"] }]);
  });

  it("of events since a time are only those that the owner of the webhook sees, whoever asks", async () => {
    const { workspace, api, happen } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const hidden = await workspace.group(workspace.ada, { name: "Hidden" });
    const sent = {
      name: "Bob's",
      targetUrl: "https://bob.invalid/",
      subscribedEvents: [{ eventType: "object.deleted" }],
    };
    const { data: bobs } = await scene.api(bob).post("/v1/webhooks", sent);
    const { data: adas } = await api.post("/v1/webhooks", sent);
    await happen("object.deleted", { home: uuidOf("group", hidden.id) as Uuid, objectType: "Deals" });
    const replayed = async ({ id }: Item) =>
      (await api.post(`/v1/webhooks/${id}/replay`, { since: "2020-01-01" })).data.replayed;
    expect([await replayed(adas), await replayed(bobs)]).toEqual([1, 0]);
  });

  it("go on as the admin sees events who has taken a webhook over (docs/guides/webhooks.md#who-sees-what)", async () => {
    const { workspace, api, happen } = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    const { data: hidden } = await bob.post("/v1/groups", { name: "Hidden", visibility: "private" });
    const sent = {
      name: "Bob's",
      targetUrl: "https://bob.invalid/",
      subscribedEvents: [{ eventType: "object.deleted" }, { eventType: "person.deleted" }],
    };
    /** A webhook of Bob, with a delivery of an event that only he sees and one that everybody sees. */
    const ofBob = async () => {
      const { data } = await bob.post("/v1/webhooks", sent);
      return `/v1/webhooks/${data.id}`;
    };
    const secret = { home: uuidOf("group", hidden.id) as Uuid, objectType: "Deals" };
    await happen("object.deleted", secret);
    await happen("person.deleted");
    const replayed = async (by: typeof api, hook: string) =>
      (await by.post(`${hook}/replay`, { since: "2020-01-01" })).data.replayed;
    const types = async (by: typeof api, hook: string) =>
      (await by.get(`${hook}/deliveries`)).items.map(({ eventType }) => eventType);

    for (const keeps of [{ name: "Renamed" }, { status: "inactive" }, { status: "active" }, sent]) {
      const hook = await ofBob();
      expect((await api.patch(hook, keeps)).status).toBe(200);
      expect((await bob.get(hook)).status).toBe(200);
    }
    const takesOver = [
      (hook: string) => api.patch(hook, { targetUrl: "https://ada.invalid/" }),
      (hook: string) =>
        api.patch(hook, { subscribedEvents: [...sent.subscribedEvents, { eventType: "note.created" }] }),
      (hook: string) => api.post(`${hook}/rotate-secret`),
    ];
    for (const take of takesOver) {
      const hook = await ofBob();
      expect(await replayed(bob, hook)).toBe(2);
      const [own] = (await bob.get(`${hook}/deliveries?limit=2`)).items.filter(
        ({ eventType }) => eventType === "object.deleted",
      );
      expect(await types(bob, hook)).toEqual(["person.deleted", "object.deleted"]);
      // An admin sees the deliveries of events that they see, before and afterwards.
      expect(await types(api, hook)).toEqual(["person.deleted"]);
      expect((await take(hook)).status).toBe(200);
      expect((await bob.get(hook)).status).toBe(404);
      expect(await types(api, hook)).toEqual(["person.deleted"]);
      expect((await api.post(`${hook}/deliveries/${own?.id}/replay`)).error.code).toBe("RESOURCE_NOT_FOUND");
      expect(await replayed(api, hook)).toBe(1);
    }
    const filter = { groupId: hidden.id };
    const refused = await api.patch(await ofBob(), { subscribedEvents: [{ eventType: "person.updated", filter }] });
    expect(refused.issues).toMatchObject([{ path: ["subscribedEvents", 0, "filter", "groupId"] }]);
  });

  it("do not tell an admin what a filter asks for that they do not see, before and after they take the webhook over", async () => {
    const { workspace, api, happen } = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    const { data: hidden } = await bob.post("/v1/groups", { name: "Hidden", visibility: "private" });
    const groups = [uuidOf("group", hidden.id) as Uuid];
    const jobTitle = { path: ["jobTitle"], type: "set" as const, value: "CTO" };
    const subscribedEvents = [
      { eventType: "person.updated", filter: { groupId: hidden.id } },
      { eventType: "person.deleted" },
    ];
    await happen("person.updated", { groups, changes: [jobTitle] });
    await happen("person.deleted", { groups });
    const ofBob = async () => {
      const body = { name: "Bob's", targetUrl: "https://bob.invalid/", subscribedEvents };
      const hook = `/v1/webhooks/${(await bob.post("/v1/webhooks", body)).data.id}`;
      expect((await bob.post(`${hook}/replay`, { since: "2020-01-01" })).data).toEqual({ replayed: 2 });
      return { hook, items: (await bob.get(`${hook}/deliveries`)).items };
    };
    const types = (items: Item[]) => items.map(({ eventType }) => eventType);
    const wide = { subscribedEvents: [{ eventType: "person.updated" }, { eventType: "person.deleted" }] };
    const takesOver = [
      (hook: string) => api.patch(hook, { targetUrl: "https://ada.invalid/" }),
      (hook: string) => api.post(`${hook}/rotate-secret`),
      (hook: string) => api.patch(hook, wide),
    ];
    for (const take of takesOver) {
      const { hook, items } = await ofBob();
      expect(types(items)).toEqual(["person.deleted", "person.updated"]);
      expect(types((await api.get(`${hook}/deliveries`)).items)).toEqual(["person.deleted"]);
      expect((await take(hook)).status).toBe(200);
      // By wider filters of their own they learn no more of what was before.
      await api.patch(hook, wide);
      expect(types((await api.get(`${hook}/deliveries`)).items)).toEqual(["person.deleted"]);
      const replay = (i: number) => api.post(`${hook}/deliveries/${items[i]?.id}/replay`);
      expect([(await replay(0)).status, (await replay(1)).status]).toEqual([200, 404]);
      expect((await api.post(`${hook}/replay`, { since: "2020-01-01" })).data).toEqual({ replayed: 2 });
    }
  });

  it("tell an admin the answers of another user's receiver only where the admin sees all of the event", async () => {
    const { workspace, api, happen } = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    const { data: hidden } = await bob.post("/v1/groups", { name: "Hidden", visibility: "private" });
    const jobTitle = { path: ["jobTitle"], type: "set" as const, value: "CTO" };
    const stage = { path: ["customFieldValues", hidden.id, "Stage"], type: "set" as const, value: "Won" };
    await happen("person.updated", { changes: [jobTitle, stage] });
    await happen("person.updated", { changes: [jobTitle] });
    const subscribedEvents = [{ eventType: "person.updated" }];
    const body = { name: "Bob's", targetUrl: "https://bob.invalid/", subscribedEvents };
    const { data } = await bob.post("/v1/webhooks", body);
    await bob.post(`/v1/webhooks/${data.id}/replay`, { since: "2020-01-01" });
    const attempt = { at: new Date().toISOString(), responseStatus: 200, error: null, durationMs: 1 };
    await scene.server.database.read("update deliveries set attempts = $2 where webhook_id = $1", [
      uuidOf("webhook", data.id),
      JSON.stringify([{ ...attempt, responseBody: "echo" }]),
    ]);
    const answers = async (by: typeof api) =>
      (await by.get(`/v1/webhooks/${data.id}/deliveries`)).items.map(
        ({ attempts }) => (attempts as { responseBody: string }[])[0]?.responseBody,
      );
    expect(await answers(bob)).toEqual(["echo", "echo"]);
    expect(await answers(api)).toEqual(["echo", ""]);
    await api.post(`/v1/webhooks/${data.id}/rotate-secret`);
    expect(await answers(api)).toEqual(["echo", ""]);
  });

  it("are not sent again when the webhook asks for no such event any more", async () => {
    const { api, path, insert, happen } = await setUp();
    const old = await insert("failed", [], await happen());
    await api.patch(path, { subscribedEvents: [{ eventType: "person.created" }] });
    expect((await api.post(`${path}/deliveries/${old}/replay`)).issues).toEqual([
      { code: "custom", path: ["deliveryId"] },
    ]);
    expect(ids((await api.get(`${path}/deliveries`)).items)).toEqual([old]);
  });

  it("of a page that hides some are followed by the next page all the same", async () => {
    const { workspace, api, happen } = await setUp();
    const bob = scene.api(await workspace.user("Bob Stone"));
    const { data: hidden } = await bob.post("/v1/groups", { name: "Hidden", visibility: "private" });
    const subscribedEvents = [{ eventType: "object.deleted" }, { eventType: "person.deleted" }];
    const { data } = await bob.post("/v1/webhooks", {
      name: "Bob's",
      targetUrl: "https://bob.invalid/",
      subscribedEvents,
    });
    await happen("person.deleted");
    for (let i = 0; i < 2; i += 1)
      await happen("object.deleted", { home: uuidOf("group", hidden.id) as Uuid, objectType: "Deals" });
    await bob.post(`/v1/webhooks/${data.id}/replay`, { since: "2020-01-01" });
    const first = await api.get(`/v1/webhooks/${data.id}/deliveries?limit=2`);
    expect(first.items).toEqual([]);
    const { nextLink = "" } = first;
    const second = await api.get(nextLink.slice(nextLink.indexOf("/v1")));
    expect(second.items).toMatchObject([{ eventType: "person.deleted" }]);
    expect(second.nextLink).toBeUndefined();
  });

  it("of more than 20,000 events are refused with the way out", async () => {
    const { workspace, api, path, happen } = await setUp();
    await happen();
    await scene.server.database.read(
      `insert into change_log (workspace_id, id, type, record_id, source, body)
       select $1, $2, 'company.created', gen_random_uuid(), 'api', '{}' from generate_series(1, 19999)`,
      [workspace.uuid, newUuid()],
    );
    expect((await api.post(`${path}/replay`, { since: "2020-01-01" })).data).toEqual({ replayed: 1 });
    await happen();
    const { status, issues, error } = await api.post(`${path}/replay`, { since: "2020-01-01" });
    expect({ status, issues }).toEqual({ status: 422, issues: [{ code: "custom", path: ["since"] }] });
    expect(error.message).toContain("more than 20,000 events");
  });
});
