import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { newUuid, toId, uuidOf } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const CREATED = { eventType: "person.created" };
const SENT = { name: "Mine", targetUrl: "https://receiver.invalid/in", subscribedEvents: [CREATED] };

const ids = (items: Item[]) => items.map(({ id }) => id);

/** A secret as answers show it after the first one. */
function redacted(secret: unknown): string {
  const text = String(secret);
  return `${text.slice(0, 8)}${"*".repeat(22)}${text.slice(-4)}`;
}

describeServer("Webhooks", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const make = async (more: object = {}, by: Client = api) =>
      (await by.post("/v1/webhooks", { ...SENT, ...more })).data;
    /** What is kept of a webhook, and the version that tells processes of a change. */
    const kept = async ({ id }: Item) => {
      const [row] = await scene.server.database.read<Record<string, unknown>>(
        `select w.*, s.webhooks_version::int as version, q.webhook_id is not null as has_queue, q.is_gone, q.due_at, q.lease from workspaces s
         left join webhooks w on w.workspace_id = s.id and w.id = $2
         left join webhook_queues q on q.workspace_id = s.id and q.webhook_id = $2 where s.id = $1`,
        [workspace.uuid, uuidOf("webhook", id)],
      );
      return row ?? {};
    };
    return { workspace, api, make, kept };
  }

  it("are answered with their secret by the POST alone, then with it redacted (docs/guides/webhooks.md#the-signing-secret)", async () => {
    const { api, make } = await setUp();
    const made = await make();
    expect(Object.keys(made)).toEqual([
      "id",
      "name",
      "targetUrl",
      "subscribedEvents",
      "signingSecret",
      "status",
      "createdAt",
    ]);
    expect(made).toEqual({
      ...SENT,
      id: expect.stringMatching(/^wbk_[0-9a-f-]{36}$/),
      subscribedEvents: [{ ...CREATED, filter: {} }],
      signingSecret: expect.stringMatching(SECRET),
      status: "active",
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const { signingSecret, ...shown } = made;
    const found = (await api.get(`/v1/webhooks/${made.id}`)).data;
    expect(found).toEqual({ ...shown, redactedSigningSecret: redacted(signingSecret) });
    expect(Object.keys(found)[4]).toBe("redactedSigningSecret");
    expect((await api.get("/v1/webhooks")).items).toEqual([found]);
    expect((await api.patch(`/v1/webhooks/${made.id}`, {})).data).toEqual(found);
  });

  it("each have a secret of their own", async () => {
    const { make } = await setUp();
    const secrets = await Promise.all([make(), make(), make()]);
    expect(new Set(secrets.map(({ signingSecret }) => signingSecret)).size).toBe(3);
  });

  it("need a name, a target and events, and take nothing else (docs/guides/webhooks.md#fields)", async () => {
    const { api } = await setUp();
    const { issues } = await api.post("/v1/webhooks", {});
    expect(issues.map(({ path }) => path)).toEqual([["name"], ["targetUrl"], ["subscribedEvents"]]);
    expect((await api.post("/v1/webhooks", { ...SENT, status: "active" })).issues).toEqual([
      { code: "unrecognized_keys", path: [], keys: ["status"] },
    ]);
    const bad = [
      [{ name: "x".repeat(256) }, ["name"], "too_big"],
      [{ targetUrl: `https://receiver.invalid/${"x".repeat(2048)}` }, ["targetUrl"], "too_big"],
      [{ subscribedEvents: [] }, ["subscribedEvents"], "too_small"],
      [{ subscribedEvents: Array(21).fill(CREATED) }, ["subscribedEvents"], "too_big"],
      [{ subscribedEvents: [{}] }, ["subscribedEvents", 0, "eventType"], "invalid_type"],
      [
        { subscribedEvents: [{ eventType: "task.created" }] },
        ["subscribedEvents", 0, "eventType"],
        "invalid_enum_value",
      ],
      [
        { subscribedEvents: [{ eventType: "webhook.test" }] },
        ["subscribedEvents", 0, "eventType"],
        "invalid_enum_value",
      ],
      [{ subscribedEvents: [{ ...CREATED, more: 1 }] }, ["subscribedEvents", 0], "unrecognized_keys"],
      [{ subscribedEvents: [{ ...CREATED, filter: null }] }, ["subscribedEvents", 0, "filter"], "invalid_type"],
      [
        { subscribedEvents: [{ ...CREATED, filter: { name: "x" } }] },
        ["subscribedEvents", 0, "filter"],
        "unrecognized_keys",
      ],
    ] as const;
    for (const [more, path, code] of bad)
      expect((await api.post("/v1/webhooks", { ...SENT, ...more })).issues).toMatchObject([{ path, code }]);
    for (const more of [{ name: "x".repeat(255) }, { subscribedEvents: Array(20).fill(CREATED) }])
      expect((await api.post("/v1/webhooks", { ...SENT, ...more })).status).toBe(200);
  });

  it("answer each filter as it was sent, with its keys in their order (docs/guides/webhooks.md#filters)", async () => {
    const { workspace, api, make } = await setUp();
    const group = await workspace.group(workspace.ada);
    const filters = [
      { value: " CTO ", path: ["jobTitle"], groupId: group.id },
      { groupId: group.id, path: ["emails"] },
      {},
    ];
    const subscribedEvents = filters.map((filter) => ({ filter, eventType: "person.updated" }));
    const expected = JSON.stringify(filters.map((filter) => ({ eventType: "person.updated", filter })));
    const made = await make({ subscribedEvents });
    expect(JSON.stringify(made.subscribedEvents)).toBe(expected);
    const { data } = await api.get(`/v1/webhooks/${made.id}`);
    expect(JSON.stringify(data.subscribedEvents)).toBe(expected);
    const { data: changed } = await api.patch(`/v1/webhooks/${made.id}`, { subscribedEvents: [subscribedEvents[0]] });
    expect(JSON.stringify(changed.subscribedEvents)).toBe(
      `[${JSON.stringify({ eventType: "person.updated", filter: filters[0] })}]`,
    );
  });

  it("refuse a filter that no event can meet, with the place of each fault (docs/guides/webhooks.md#filters)", async () => {
    const { workspace, api } = await setUp();
    const hidden = await workspace.group(await workspace.user("Bob Stone"), { name: "Hidden" });
    const filter = { groupId: hidden.id, path: ["nickname"], value: "x" };
    const subscribedEvents = [
      CREATED,
      { eventType: "person.updated", filter },
      { eventType: "note.created", filter: { value: "x" } },
    ];
    const { status, issues } = await api.post("/v1/webhooks", {
      ...SENT,
      targetUrl: "http://127.0.0.1/",
      subscribedEvents,
    });
    expect([status, issues]).toEqual([
      422,
      [
        { code: "custom", path: ["targetUrl"] },
        { code: "custom", path: ["subscribedEvents", 1, "filter", "groupId"] },
        { code: "custom", path: ["subscribedEvents", 1, "filter", "path"] },
        { code: "custom", path: ["subscribedEvents", 2, "filter", "value"] },
      ],
    ]);
  });

  it("are seen by their creator and by admins of the workspace; to others they are 404 (docs/guides/webhooks.md#who-sees-what)", async () => {
    const { workspace, api, make } = await setUp();
    const [bob, rita] = await Promise.all([workspace.user("Bob Stone"), workspace.user("Rita Reed")]);
    const [asBob, asRita] = [scene.api(bob), scene.api(rita)];
    const foreign = scene.api((await scene.workspace()).ada);
    const [adas, bobs] = [await make(), await make({}, asBob)];
    expect(ids((await api.get("/v1/webhooks")).items)).toEqual([adas.id, bobs.id]);
    expect(ids((await asBob.get("/v1/webhooks")).items)).toEqual([bobs.id]);
    expect((await asRita.get("/v1/webhooks")).items).toEqual([]);
    for (const other of [asRita, foreign])
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/rotate-secret"],
        ["POST", "/test"],
        ["GET", "/deliveries"],
      ] as const)
        expect([method, path, (await other.request(method, `/v1/webhooks/${bobs.id}${path}`)).status]).toEqual([
          method,
          path,
          404,
        ]);
    expect((await api.patch(`/v1/webhooks/${bobs.id}`, { name: "By an admin" })).data.name).toBe("By an admin");
    expect((await asBob.get(`/v1/webhooks/${bobs.id}`)).data.name).toBe("By an admin");
  });

  it("show an admin those entries of another user's webhook that the admin could send, and keep no others when it is taken over", async () => {
    const { workspace, api, make } = await setUp();
    const [bob, rita] = await Promise.all([workspace.user("Bob Stone"), workspace.user("Rita Reed")]);
    const asBob = scene.api(bob);
    const hidden = await workspace.group(rita, { name: "Hidden", members: [[bob, "admin"]] });
    await workspace.field(bob, hidden, "person", { type: "textField", name: "Stage" });
    await workspace.field(bob, hidden, "person", { type: "objectField", name: "Secrets" });
    await workspace.field(bob, hidden, "Secrets", { type: "textField", name: "Level" });
    const secret = [
      { eventType: "person.updated", filter: { groupId: hidden.id } },
      { eventType: "person.updated", filter: { path: ["customFieldValues", hidden.id, "Stage"], value: "Won" } },
      { eventType: "object.created", filter: { objectType: "Secrets" } },
      { eventType: "object.updated", filter: { path: ["customFieldValues", "Level"], value: "9" } },
    ];
    const open = [{ eventType: "person.updated", filter: { path: ["jobTitle"], value: "CTO" } }];
    const mixed = { subscribedEvents: [...secret, ...open] };
    const bobs = await make(mixed, asBob);
    expect(bobs).toMatchObject(mixed);

    const path = `/v1/webhooks/${bobs.id}`;
    const shown = { subscribedEvents: open };
    expect((await api.get(path)).data).toMatchObject(shown);
    expect((await api.get("/v1/webhooks")).items).toMatchObject([shown]);
    expect((await api.patch(path, { name: "New" })).data).toMatchObject(shown);
    expect((await api.patch(path, { subscribedEvents: open, status: "active" })).data).toMatchObject(shown);
    expect((await asBob.get(path)).data).toMatchObject({ ...mixed, name: "New" });

    const takeOver = [
      (hook: string) => api.patch(hook, { targetUrl: "https://ada.invalid/" }),
      (hook: string) => api.post(`${hook}/rotate-secret`),
      (hook: string) => api.patch(hook, { targetUrl: "https://ada.invalid/", ...shown }),
    ];
    for (const take of takeOver) {
      const { id } = await make(mixed, asBob);
      expect((await take(`/v1/webhooks/${id}`)).data).toMatchObject(shown);
      expect((await api.get(`/v1/webhooks/${id}`)).data).toMatchObject(shown);
      expect((await asBob.get(`/v1/webhooks/${id}`)).status).toBe(404);
    }
    const { id } = await make({ subscribedEvents: secret }, asBob);
    expect((await api.get(`/v1/webhooks/${id}`)).data.subscribedEvents).toEqual([]);
    const chosen = { subscribedEvents: [{ ...CREATED, filter: {} }] };
    expect((await api.patch(`/v1/webhooks/${id}`, chosen)).data).toMatchObject(chosen);
    // An owner is shown what they have sent, also when they do not see it any more.
    const lost = await make(mixed, asBob);
    await workspace.leave(rita, hidden, bob);
    expect((await asBob.get(`/v1/webhooks/${lost.id}`)).data).toMatchObject(mixed);
  });

  it("change by PATCH what was sent, and stay as they are otherwise", async () => {
    const { api, make } = await setUp();
    const { signingSecret: _, ...made } = await make();
    const path = `/v1/webhooks/${made.id}`;
    const { data: before } = await api.get(path);
    const change = {
      name: "New",
      targetUrl: "http://new.invalid/",
      subscribedEvents: [{ eventType: "note.created", filter: {} }],
    };
    expect((await api.patch(path, { name: "New" })).data).toEqual({ ...before, name: "New" });
    expect((await api.patch(path, change)).data).toEqual({ ...before, ...change });
    expect((await api.patch(path, { status: "inactive" })).data).toEqual({ ...before, ...change, status: "inactive" });
    expect((await api.patch(path, { status: "paused" })).issues).toMatchObject([
      { code: "invalid_enum_value", path: ["status"], options: ["active", "inactive"], received: "paused" },
    ]);
    expect((await api.patch(path, { signingSecret: "x" })).issues).toEqual([
      { code: "unrecognized_keys", path: [], keys: ["signingSecret"] },
    ]);
    expect((await api.patch(path, { subscribedEvents: [] })).issues).toMatchObject([
      { code: "too_small", path: ["subscribedEvents"] },
    ]);
    expect((await api.patch(path, { targetUrl: "nonsense" })).issues).toMatchObject([
      { code: "invalid_string", path: ["targetUrl"] },
    ]);
    expect((await api.get(path)).data).toEqual({ ...before, ...change, status: "inactive" });
  });

  it("are for events that are written after they were made, or became active again (docs/guides/webhooks.md#status)", async () => {
    const { api, make, kept } = await setUp();
    // A number of the log is taken, as a write takes it whose transaction has not ended yet.
    const nextSeq = async () => {
      const [row] = await scene.server.database.read<{ seq: number }>(
        "select nextval('change_log_seq')::float8 as seq",
        [],
      );
      return row?.seq ?? 0;
    };
    const first = await nextSeq();
    const made = await make();
    const path = `/v1/webhooks/${made.id}`;
    const since = Number((await kept(made)).since_seq);
    expect(since).toBeGreaterThanOrEqual(first);
    await nextSeq();
    await api.patch(path, { status: "active", name: "Still active" });
    expect(Number((await kept(made)).since_seq)).toBe(since);
    await api.patch(path, { status: "inactive" });
    const stopped = await kept(made);
    expect(stopped).toMatchObject({ stopped_because: "client", since_seq: since });
    const later = await nextSeq();
    await api.patch(path, { status: "inactive" });
    expect(await kept(made)).toMatchObject({ stopped_at: stopped.stopped_at });
    await api.patch(path, { status: "active" });
    expect(Number((await kept(made)).since_seq)).toBeGreaterThanOrEqual(later);
  });

  it("have a queue as long as they are there, and tell every change by a version", async () => {
    const { api, make, kept } = await setUp();
    const made = await make();
    expect(await kept(made)).toMatchObject({ has_queue: true, is_gone: false, version: 1 });
    await api.patch(`/v1/webhooks/${made.id}`, { name: "New" });
    expect(await kept(made)).toMatchObject({ version: 2 });
    await api.post(`/v1/webhooks/${made.id}/rotate-secret`);
    expect(await kept(made)).toMatchObject({ version: 3 });
    // As a sender holds it.
    await scene.server.database.read(
      "update webhook_queues set due_at = now(), lease = $1, leased_until = now() + interval '1 hour' where webhook_id = $2",
      [newUuid(), uuidOf("webhook", made.id)],
    );
    expect((await api.delete(`/v1/webhooks/${made.id}`)).data).toEqual({ id: made.id });
    // The queue stays until the deliveries are deleted.
    expect(await kept(made)).toMatchObject({ version: 4, id: null, is_gone: true, due_at: null, lease: null });
    for (const method of ["GET", "PATCH", "DELETE"])
      expect((await api.request(method, `/v1/webhooks/${made.id}`)).error.code).toBe("RESOURCE_NOT_FOUND");
    expect((await api.get(`/v1/webhooks/${toId("webhook", newUuid())}`)).status).toBe(404);
  });

  it("have not failed yet when they are active again or have another target (docs/guides/webhook-deliveries.md#when-a-webhook-is-switched-off)", async () => {
    const { api, make } = await setUp();
    const { id } = await make();
    const { database } = scene.server;
    const uuid = uuidOf("webhook", id);
    const failingSince = async () => {
      const [row] = await database.read<{ at: Date | null }>(
        "select failing_since as at from webhook_queues where webhook_id = $1",
        [uuid],
      );
      return row?.at;
    };
    const isKept = async (sent: object) => {
      await database.read("update webhook_queues set failing_since = now() - interval '4 days' where webhook_id = $1", [
        uuid,
      ]);
      await api.patch(`/v1/webhooks/${id}`, sent);
      return (await failingSince()) !== null;
    };
    expect(await isKept({ name: "Other", status: "active", targetUrl: SENT.targetUrl })).toBe(true);
    expect(await isKept({ targetUrl: "https://receiver.invalid/other" })).toBe(false);
    expect(await isKept({ status: "inactive" })).toBe(true);
    expect(await isKept({ status: "active" })).toBe(false);
  });

  it("do not lock their queue, for which the publisher waits, while they wait for others", async () => {
    const { api, make } = await setUp();
    const { database } = scene.server;
    for (const change of [
      ({ id }: Item) => api.patch(`/v1/webhooks/${id}`, { status: "inactive" }),
      ({ id }: Item) => api.delete(`/v1/webhooks/${id}`),
    ]) {
      const made = await make();
      const uuid = uuidOf("webhook", made.id);
      let changed: Promise<unknown> = Promise.resolve();
      await database.transaction(async (trx) => {
        await trx.raw(
          `select from workspaces w join webhooks h on h.workspace_id = w.id where h.id = '${uuid}' for no key update of w`,
        );
        changed = change(made);
        await until("it waits", async () => {
          const rows = await database.read(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rows.length > 0;
        });
        await trx.raw(`select from webhook_queues where webhook_id = '${uuid}' for update nowait`);
      });
      await changed;
    }
  });

  it("get a new secret that is told once; the old ones sign for a day (docs/guides/webhooks.md#rotating-the-secret)", async () => {
    const { api, make, kept } = await setUp();
    const made = await make();
    const path = `/v1/webhooks/${made.id}`;
    const first = await kept(made);
    const { data: rotated } = await api.post(`${path}/rotate-secret`);
    expect(rotated).toEqual({ ...made, signingSecret: expect.stringMatching(SECRET) });
    expect(rotated.signingSecret).not.toBe(made.signingSecret);
    expect((await api.get(path)).data.redactedSigningSecret).toBe(redacted(rotated.signingSecret));
    const second = await kept(made);
    expect(second.replaced_secrets).toEqual([
      { secret: (first.secret as Buffer).toString("base64"), until: expect.stringMatching(TIMESTAMP) },
    ]);
    const [{ until = "" } = {}] = second.replaced_secrets as { until: string }[];
    expect(Date.parse(until) / 3_600_000 - Date.now() / 3_600_000).toBeCloseTo(24, 1);
    await api.post(`${path}/rotate-secret`, {});
    expect((await kept(made)).replaced_secrets).toHaveLength(2);
    // A day later the first ones no longer sign.
    await scene.server.database.read(
      `update webhooks set replaced_secrets = json_build_array(json_build_object('secret', '', 'until', '2020-01-01T00:00:00.000Z')) where id = $1`,
      [uuidOf("webhook", made.id)],
    );
    await api.post(`${path}/rotate-secret`);
    expect((await kept(made)).replaced_secrets).toMatchObject([{ until: expect.not.stringMatching(/^2020/) }]);
  });

  it("rotate ten times a day at most", async () => {
    const { api, make } = await setUp();
    const made = await make();
    for (let count = 0; count < 10; count++)
      expect((await api.post(`/v1/webhooks/${made.id}/rotate-secret`)).status).toBe(200);
    expect((await api.post(`/v1/webhooks/${made.id}/rotate-secret`)).issues).toEqual([{ code: "custom", path: [] }]);
  });

  it("are made once under an Idempotency-Key, and the replay has the same secret (docs/guides/idempotency.md#keys)", async () => {
    const { api } = await setUp();
    const headers = { "Idempotency-Key": randomUUID() };
    const [first, again] = [
      await api.post("/v1/webhooks", SENT, headers),
      await api.post("/v1/webhooks", SENT, headers),
    ];
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await api.get("/v1/webhooks")).items).toHaveLength(1);
  });
});
