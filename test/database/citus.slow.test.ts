import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ApiError } from "../../base/contract/errors.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { repairCoordinator } from "../../database/citus/coordinator.ts";
import { arePlaced, placements } from "../../database/citus/placements.ts";
import { type Database, openDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { appendToLog } from "../../engine/events/append.ts";
import { maintenance } from "../../engine/events/maintenance.ts";
import { settledOf } from "../../engine/feed/settled.ts";
import { beginPeriod, DELIVERIES, dropPeriods } from "../../engine/periods/periods.ts";
import { runSql } from "../../lab/harness/run-sql.ts";
import { until } from "../../lab/harness/until.ts";
import { PATIENT } from "../../lab/harness/waits.ts";
import { takePlace } from "../../services/gateway/stream/places.queries.ts";
import { describeCitus } from "../support/citus.ts";

/** Rows of a workspace in tables that stand in different places. */
async function fill(url: string): Promise<Uuid> {
  const workspace = newUuid();
  const [user, person] = [newUuid(), newUuid()];
  await runSql(
    url,
    `insert into workspaces (id, slug, name, created_at) values ('${workspace}', 'acme', 'Acme', now());
     insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
       values ('${workspace}', '${user}', 'ada@acme.test', 'ada@acme.test', 'Ada', 'admin', now());
     insert into api_keys (workspace_id, id, user_id, hash, access, created_at)
       values ('${workspace}', '${newUuid()}', '${user}', '\\x01', 'full', now());
     insert into person_companies (workspace_id, person_id, company_id) values ('${workspace}', '${person}', '${newUuid()}')`,
  );
  return workspace;
}

// docs/guides/citus.md
describeCitus("A database of Citus", (citus) => {
  let url: string;
  let database: Database;

  beforeAll(async () => {
    url = await citus.database();
    await migrate(url);
    database = await openDatabase(url, { waits: PATIENT });
  });

  afterAll(() => database.close());

  it("has each table where it is to stand after its migrations, and no trigger of the release before", async () => {
    const wrong = (await placements(database.queryPlanned)).filter(({ wanted, found }) => wanted !== found);
    expect(wrong).toEqual([]);
    expect(await arePlaced(database.queryPlanned)).toBe(true);
    const places = Map.groupBy(await placements(database.queryPlanned), ({ found }) => found);
    expect(places.get("reference")?.map(({ table }) => table)).toEqual(["key_hashes", "workspace_slugs"]);
    expect(places.get("local")?.map(({ table }) => table)).toEqual(
      expect.arrayContaining(["event_streams", "migrations", "outbox", "rate_windows", "request_logs", "settings"]),
    );
    const foreign = await database.read<{ name: string }>(
      "select conname::text as name from pg_constraint where contype = 'f' and conname = 'people_workspace_id_fkey' or conname = 'users_workspace_id_fkey'",
    );
    expect(foreign.map(({ name }) => name)).toEqual(["users_workspace_id_fkey"]);
    expect(await migrate(url)).toEqual([]);
  });

  it("tells nothing of its log until the coordinator is found to have no transactions of the time before", async () => {
    const workspaceId = newUuid();
    await appendToLog(database.read, { workspaceId }, [
      { type: "person.created", recordId: newUuid(), body: { groups: [] } },
    ]);
    await runSql(url, "truncate coordinator_repairs");
    const take = () => takePlace(database.read, { workspaceId, userId: newUuid() }, 1);
    expect((await settledOf(database.read, [workspaceId])).get(workspaceId)?.through).toBe(0);
    const refused: unknown = await take().catch((error: unknown) => error);
    expect([refused instanceof ApiError && refused.code, String(refused)]).toEqual([
      503,
      expect.stringContaining("is recovering"),
    ]);
    expect(await runSql(url, "select 1 from event_streams")).toEqual([]);
    await until("the coordinator is repaired", () => repairCoordinator(database.queryPlanned));
    const through = (await settledOf(database.read, [workspaceId])).get(workspaceId)?.through ?? 0;
    expect(through).toBeGreaterThan(0);
    expect(await take()).toMatchObject({ lastPosition: through + 1 });
  });

  it("begins and drops periods, and takes along what stays", async () => {
    const [workspaceId, webhookId] = [newUuid(), newUuid()];
    await runSql(
      url,
      `insert into workspaces (id, slug, name, created_at) values ('${workspaceId}', 'periods', 'P', now());
       insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
         values ('${workspaceId}', '${webhookId}', now(), '${newUuid()}', 'w', 'http://x.test', '[]', 'active', '\\x00', '', 0);
       insert into deliveries (workspace_id, id, webhook_id, event_id, event_type, record_id, status, created_at)
         select '${workspaceId}', gen_random_uuid(), '${webhookId}', gen_random_uuid(), 'x', gen_random_uuid(), status, now()
         from unnest(array['pending', 'succeeded']) status`,
    );
    const now = { ...DELIVERIES, periodMs: 0, keptMs: 0 };
    expect(await beginPeriod(database, now)).toBe(true);
    expect(await dropPeriods(database, now)).toHaveLength(1);
    const left = await runSql(url, `select status from deliveries where workspace_id = '${workspaceId}'`);
    expect(left).toEqual([{ status: "pending" }]);
    for (const maintain of Object.values(
      maintenance(database, { idempotencyTtlS: 60, historyDays: 90, trashDays: 30 }),
    ))
      expect(await maintain()).toEqual([]);
  });

  it("takes over a database with rows when it is told to, and goes on when that was interrupted", async () => {
    const [coordinator, ...workers] = citus.cluster.nodes;
    await coordinator.run("create database plain");
    const plain = coordinator.urlOf("plain");
    await migrate(plain);
    const workspace = await fill(plain);
    for (const worker of workers) await worker.run("create database plain");
    for (const node of citus.cluster.nodes) await node.run("create extension citus", "plain");
    await coordinator.run(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`, "plain");
    for (const { port } of workers) await coordinator.run(`select citus_add_node('127.0.0.1', ${port})`, "plain");

    await expect(migrate(plain)).rejects.toThrow('run "migrate --to-citus"');
    const interrupted = migrate(plain, {
      toCitus: true,
      told: ({ name }) => {
        if (name === "placed people") throw new Error("interrupted");
      },
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    const rest = await migrate(plain);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest).not.toContain("placed people");
    const foreignKeys = "select 1 from pg_constraint where conname = 'users_workspace_id_fkey'";
    expect(await runSql(plain, foreignKeys)).toHaveLength(1);
    const rows = await runSql(
      plain,
      `select (select count(*)::int from users where workspace_id = '${workspace}') as users,
         (select count(*)::int from person_companies where workspace_id = '${workspace}') as links,
         (select slug from workspace_slugs) as slug, (select count(*)::int from key_hashes) as hashes`,
    );
    expect(rows).toEqual([{ users: 1, links: 1, slug: "acme", hashes: 1 }]);
    expect(await migrate(plain)).toEqual([]);
  });
});
