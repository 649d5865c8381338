import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Caller } from "../../base/contract/caller.ts";
import type { SavedResponse } from "../../base/contract/claim.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { JsonSchemaValidator } from "../../bus/validator.ts";
import { readEnv } from "../../config/env.ts";
import { type Database, run } from "../../database/database.ts";
import { lockOf } from "../../engine/idempotency/run-once.ts";
import { beginPeriod, DELIVERIES, dropPeriods, savedResponses } from "../../engine/periods/periods.ts";
import { storeOf } from "../../engine/store/store.ts";
import idempotencyService from "../../services/idempotency/idempotency.service.ts";
import { databaseFrom, type TestDatabase } from "../support/database.ts";

const RESPONSES = savedResponses(86_400);
const workspaceId: Uuid = newUuid();
const userId: Uuid = newUuid();
const [delivery, webhookId] = [newUuid(), newUuid()];

/** Rows of the release before. */
const FILL = `
with workspace as (
  insert into workspaces (id, slug, name, created_at) values ($1, 'acme', 'Acme', now())
), webhook as (
  insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
  values ($1, $4, now(), $2, 'w', 'https://x.test', '[]', 'active', '', '', 0)
), made as (
  insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, next_attempt_at, created_at)
  values ($1, $3, $4, $1, 'webhook.test', $1, 'pending', now(), now())
)
insert into idempotency_keys (workspace_id, user_id, key, fingerprint, status, body, expires_at)
select $1, $2, key, 'f', 200, '{"data":"old"}', now() + hours * interval '1 hour' from (values ('kept', 12), ('over', -1)) k (key, hours)`;

/** The statements of a process of the release before, which has found its key free. */
const OLD_LOOK_UP =
  "select body from idempotency_keys where workspace_id = $1 and user_id = $2 and key = $3 and expires_at > now()";
const OLD_SAVE = `
insert into idempotency_keys as known (workspace_id, user_id, key, fingerprint, status, body, expires_at)
values ($1, $2, $3, 'f', 200, '{"data":"old"}', now() + interval '1 day')
on conflict (workspace_id, user_id, key) do update
set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
  expires_at = case when known.expires_at <= now() then excluded.expires_at end`;

let test: TestDatabase;
let database: Database;
let broker: ServiceBroker;

beforeAll(async () => {
  test = await databaseFrom("0021-periods", (query) => query(FILL, [workspaceId, userId, delivery, webhookId]));
  database = test.database;
  broker = new ServiceBroker({ logger: false, validator: new JsonSchemaValidator() });
  broker.createService(idempotencyService({ env: readEnv({}), database }));
  await broker.start();
});

afterAll(async () => {
  await broker.stop();
  await test.drop();
});

const callerWith = (key: string): Caller => {
  const claim = { key, fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 86_400 };
  return { workspaceId, userId, keyId: null, access: "full", claim };
};
const write = (key: string) => storeOf(database).write(callerWith(key), async () => '"new"');
const saved = (key: string): Promise<SavedResponse | null> =>
  broker.call("idempotency.findSaved", { workspaceId, userId, key });
const IN_PROGRESS = { type: "IDEMPOTENCY_REQUEST_IN_PROGRESS" };

function oldWrite(key: string): Promise<unknown> {
  const claim = lockOf(callerWith(key));
  return database.transaction(async (trx) => {
    await run(trx, "select pg_try_advisory_xact_lock($1)", [claim]);
    await run(trx, OLD_SAVE, [workspaceId, userId, key]);
  });
}
const oldLookUp = (key: string) => database.read(OLD_LOOK_UP, [workspaceId, userId, key]);

// docs/guides/upgrading.md#several-processes
describe("A database of the release before", () => {
  it("has its saved responses and its deliveries", async () => {
    expect(await saved("kept")).toEqual({ fingerprint: "f", status: 200, body: '{"data":"old"}' });
    const rows = await database.read("select id, webhook_id as webhook, status from deliveries");
    expect(rows).toEqual([{ id: delivery, webhook: webhookId, status: "pending" }]);
  });

  it("lets a key be used again whose response has expired", async () => {
    expect(await saved("over")).toBeNull();
    await write("over");
    expect(await saved("over")).toMatchObject({ body: '{"data":"new"}' });
  });

  it("has a key run once by processes of both releases", async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await oldWrite(first);
    expect(await saved(first)).toMatchObject({ body: '{"data":"old"}' });
    await write(second);
    expect(await oldLookUp(second)).toHaveLength(1);
    // Both had found the key free.
    await expect(write(first)).rejects.toMatchObject(IN_PROGRESS);
    await expect(oldWrite(second)).rejects.toThrow("null value in column");
    expect(await saved(second)).toMatchObject({ body: '{"data":"new"}' });
  });

  it("finds a delivery by its id alone for a process of that release, without going through the workspace", async () => {
    const others = `with made as (select gen_random_uuid() as id from generate_series(1, 2000))
      insert into deliveries_before (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at, period)
      select $1, m.id, m.id, m.id, 'webhook.test', m.id, 'succeeded', now(), d.period from made m, deliveries_before d`;
    await database.read(others, [workspaceId]);
    await database.queryPlanned("analyze deliveries_before");
    const found = "select status from deliveries_before where workspace_id = $1 and id = $2";
    const plan = await database.read(`explain ${found}`, [workspaceId, delivery]);
    await database.read("delete from deliveries where status = 'succeeded'");
    expect(JSON.stringify(plan)).toContain("using deliveries_before_id");
  });

  it("keeps to that for a day, and then has new periods", async () => {
    expect(await beginPeriod(database, RESPONSES)).toBe(false);
    expect(await beginPeriod(database, DELIVERIES)).toBe(false);
    for (const periods of [RESPONSES, DELIVERIES])
      expect(await beginPeriod(database, { ...periods, periodMs: 0 })).toBe(true);
    await write("new period");
    const [row] = await database.read(
      "select tableoid::regclass::text as name from saved_responses where key = 'new period'",
    );
    expect(row).not.toEqual({ name: "idempotency_keys" });
    expect(await saved("kept")).not.toBeNull();
  });

  it("drops what was there before when that is old, but for what is still needed", async () => {
    expect(await dropPeriods(database, { ...RESPONSES, keptMs: 0 })).toEqual(["idempotency_keys"]);
    expect(await dropPeriods(database, { ...DELIVERIES, keptMs: 0 })).toEqual(["deliveries_before"]);
    expect(await saved("kept")).not.toBeNull();
    expect(await database.read("select status from deliveries")).toEqual([{ status: "pending" }]);
    await expect(oldLookUp("kept")).rejects.toThrow('relation "idempotency_keys" does not exist');
  });
});
