import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import { dropPeriods } from "../../engine/events/periods.ts";
import { readEvents } from "../../engine/feed/read-events.ts";
import { storeOf } from "../../engine/store/store.ts";
import { createPublisher } from "../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../services/webhooks/subscriptions/subscriptions.ts";
import { databaseFrom, type TestDatabase } from "../support/database.ts";

const PERIOD = 2 ** 30;
const TITLE = { path: ["jobTitle"], type: "set", value: "Analyst" };

/** The tables of the release before: what it has published, what waits in its outbox, and webhooks. */
const FILL = `
with workspace as (
  insert into workspaces (id, slug, name, created_at, webhooks_version) values ($1, 'acme', 'Acme', now(), 1)
), ada as (
  insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
  values ($1, $2, 'ada@acme.test', 'ada@acme.test', 'Ada', 'admin', now())
), log as (
  update event_log set last_position = $3::bigint + 4
), published as (
  insert into events (workspace_id, position, id, type, record_id, body, published_at, seq)
  select $1, $3 + n, id, 'person.updated', id, $5::json, now(), $3 + n + 10 from unnest($4::uuid[]) with ordinality e (id, n) where n <= 4
), waiting as (
  insert into outbox (seq, workspace_id, id, type, record_id, body) overriding system value
  select $3 + n + 10, $1, id, 'person.created', id, '{}'::json from unnest($4::uuid[]) with ordinality e (id, n) where n > 4
  -- What was written into a workspace that is gone.
  union all select $3 + 20, id, id, 'person.created', id, '{}'::json from gen_random_uuid() id
), hooks as (
  insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
  select $1, id, now(), $2, 'Hook', 'http://127.0.0.2/', '[{"eventType":"person.created"},{"eventType":"person.updated"}]', 'active', '', '', since
  from unnest($6::uuid[], $7::bigint[]) h (id, since)
), queues as (
  insert into webhook_queues (workspace_id, webhook_id, made_through) select $1, id, through from unnest($6::uuid[], $8::bigint[]) h (id, through)
)
insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
select $1, id, ($6::uuid[])[1], $3 + n, id, 'person.updated', id, 'pending', now(), now() from unnest($4::uuid[]) with ordinality e (id, n) where n <= 4`;

// docs/guides/upgrading.md
describe.each([
  ["few events", 0],
  ["more events than a period has numbers", PERIOD],
])("A database of the release before with %s", (_, before) => {
  const [workspaceId, userId] = [newUuid(), newUuid()];
  /** Four that were published, and two that wait. */
  const events = Array.from({ length: 6 }, () => newUuid());
  // In sight of the numbers of the outbox, which are 10 ahead of the positions.
  const hooks = {
    steady: { id: newUuid(), since: before, through: null },
    behind: { id: newUuid(), since: before + 12, through: before + 2 },
    young: { id: newUuid(), since: before + 16, through: null },
  };
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await databaseFrom("0017-change-log", async (query) => {
      const { steady, behind, young } = hooks;
      const all = [steady, behind, young];
      await query(FILL, [
        ...[workspaceId, userId, before, events, JSON.stringify({ groups: [], changes: [TITLE] })],
        ...[all.map(({ id }) => id), all.map(({ since }) => since), all.map(({ through }) => through)],
      ]);
      await query("select setval(pg_get_serial_sequence('outbox', 'seq'), $1)", [before + 20]);
    });
    database = test.database;
  });

  afterAll(() => test.drop());

  const page = (after: number) => readEvents(storeOf(database), { workspaceId, userId }, { after, limit: 100 });
  const ids = (some: { id: Uuid }[]) => some.map(({ id }) => toId("event", id));

  it("has the events at their positions, so readers go on where they were, and behind them those that waited", async () => {
    const all = await page(before);
    expect(ids(all.events)).toEqual(ids(events.map((id) => ({ id }))));
    const positions = all.events.map(({ position }) => position - before);
    expect(positions).toEqual([1, 2, 3, 4, PERIOD + 2, PERIOD + 4]);
    expect(all.events[0]?.body.changes).toEqual([TITLE]);
    const rest = await page(before + 2);
    expect([ids(rest.events), rest.hasMore]).toEqual([ids(all.events.slice(2)), false]);
    expect((await page(rest.through)).events).toEqual([]);
  });

  it("sends each webhook what is still to be sent, once: nothing from before it became active", async () => {
    const { definitionsCache } = storeOf(database);
    const publisher = createPublisher(database, { definitionsCache, subscriptions: createSubscriptions() });
    expect(await publisher.due()).toEqual([workspaceId]);
    while ((await publisher.publish(workspaceId)).hasMore);
    expect(await publisher.due()).toEqual([]);
    const rows = await database.read<{ webhookId: Uuid; id: Uuid }>(
      'select webhook_id as "webhookId", event_id as id from deliveries order by event_seq',
    );
    const made = (of: { id: Uuid }) => ids(rows.filter(({ webhookId }) => webhookId === of.id));
    const all = ids(events.map((id) => ({ id })));
    // The release before has made four deliveries of the first webhook.
    expect(made(hooks.steady)).toEqual(all);
    expect(made(hooks.behind)).toEqual(all.slice(2));
    expect(made(hooks.young)).toEqual([]);
  });

  it("has the deliveries that were made with their events, which can be sent again", async () => {
    const kept = await database.read(
      `select from deliveries d join change_log l on l.workspace_id = d.workspace_id and l.seq = d.event_seq and l.id = d.event_id
       where d.webhook_id = $1`,
      [hooks.steady.id],
    );
    expect(kept).toHaveLength(6);
  });

  it("loses what was published before the upgrade when that is old, and nothing else", async () => {
    expect(await dropPeriods(database.queryPlanned, 60_000)).toEqual([]);
    expect(await dropPeriods(database.queryPlanned, 0)).toEqual(["change_log_before"]);
    expect(ids((await page(before)).events)).toEqual(ids(events.slice(4).map((id) => ({ id }))));
  });
});
