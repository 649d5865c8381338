import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

const SENT = {
  name: "Mine",
  targetUrl: "https://receiver.invalid/in",
  subscribedEvents: [{ eventType: "person.created" }],
};

// docs/guides/limits.md#what-a-workspace-may-have
describeServer("Webhooks of a workspace", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const webhook = (await api.post("/v1/webhooks", SENT)).data;
    return { workspace, api, webhook };
  }

  it("are at most 1,000, of which one more is 422 and leaves nothing", async () => {
    const { workspace, api } = await setUp();
    await scene.server.database.read(
      `insert into webhooks select (w).* from (
         select jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid())) as w
         from webhooks w, generate_series(1, 998) where w.workspace_id = $1) made`,
      [workspace.uuid],
    );
    expect((await api.post("/v1/webhooks", SENT)).status).toBe(200);
    const more = await api.post("/v1/webhooks", SENT);
    expect(more.issues).toMatchObject([{ code: "custom", path: [] }]);
    expect(more.error.details?.issues?.[0]?.message).toBe(
      "The workspace would have 1001 webhooks. At most 1000 are possible",
    );
    const [row] = await scene.server.database.read<{ count: number }>(
      "select count(*)::int as count from webhooks where workspace_id = $1",
      [workspace.uuid],
    );
    expect(row?.count).toBe(1000);
  });

  it("are sent all events again, also when a few of them fill a page", async () => {
    const { workspace, api, webhook } = await setUp();
    await api.post("/v1/people", { fullName: "Ada" });
    const { database } = scene.server;
    await database.read(
      `insert into change_log select (copy).* from (
         select jsonb_populate_record(e, jsonb_build_object('seq', nextval('change_log_seq'),
           'id', overlay(e.id::text placing lpad(n::text, 12, '0') from 25),
           'body', e.body::jsonb || jsonb_build_object('padding', repeat('x', 300000)))) as copy
         from change_log e, generate_series(1, 20) n where e.workspace_id = $1 and e.type = 'person.created') copies`,
      [workspace.uuid],
    );
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await api.post(`/v1/webhooks/${webhook.id}/replay`, { since })).data).toEqual({ replayed: 21 });
  });

  it("are sent events again only while fewer than 100,000 deliveries wait", async () => {
    const { workspace, api, webhook } = await setUp();
    const since = new Date(Date.now() - 60_000).toISOString();
    const replay = () => api.post(`/v1/webhooks/${webhook.id}/replay`, { since });
    // They are due in a year, so none is sent meanwhile.
    const insert = `insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, next_attempt_at, created_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'webhook.test', $2, 'pending', now() + interval '1 year', now()
       from generate_series(1, 5000)`;
    const key = [workspace.uuid, webhook.id.slice(-36)];
    // Those of all webhooks count together.
    const other = (await api.post("/v1/webhooks", SENT)).data;
    const keys = [key, [workspace.uuid, other.id.slice(-36)]];
    for (let i = 0; i < 20; i++) await scene.server.database.read(insert, keys[i % 2]);
    const refused = await replay();
    expect(refused.status).toBe(422);
    expect(refused.issues).toMatchObject([{ code: "custom", path: ["since"] }]);
    expect(refused.error.details?.issues?.[0]?.message).toMatch(
      /^At most 100,000 deliveries of the workspace may wait/,
    );
    await scene.server.database.read(
      `update deliveries set status = 'succeeded' where workspace_id = $1 and id in (
         select id from deliveries where workspace_id = $1 and webhook_id = $2 limit 10)`,
      key,
    );
    expect((await replay()).data).toEqual({ replayed: 0 });
  });
});
