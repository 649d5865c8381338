import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type Database, openDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate/migrate.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld } from "../../lab/harness/world.ts";
import { describeCitus } from "../support/citus.ts";
import { client, type Item } from "../support/client.ts";
import { PATIENT } from "../support/database.ts";
import { createExplainer, type Explainer } from "../support/explain.ts";
import type { Scene } from "../support/scene.ts";
import { startProcess } from "../support/server.ts";
import { fullBody, makeMaterial, pathOf } from "./material.ts";
import { loadOperations, type Operation } from "./operations.ts";

const MINUTES = 60_000;

/**
 * Statements that ask several shards, and why. No request waits for any of them. docs/guides/citus.md#looks
 */
const ASK_ALL: Record<string, RegExp> = {
  "enrichments that are due": /^select workspace_id as "workspaceId", id as uuid from enrichments where due_at <= now/,
  "reminders that are due": /^select workspace_id as "workspaceId" from tasks where next_trigger_at <=/,
  "interactions that wait to be counted": /^select workspace_id as "workspaceId" from interaction_uncounted where/,
  "webhooks with deliveries that are due":
    /^select workspace_id as "workspaceId", webhook_id as "webhookId", is_failing/,
  "deleted webhooks whose deliveries are left":
    /^select workspace_id as "workspaceId", webhook_id as "webhookId" from webhook_queues where is_gone/,
  "workspaces whose log has gone on": /^select workspace_id as "workspaceId" from webhook_progress p where \(exists/,
  "workspaces in which duplicates may be found":
    /^select w.id as "workspaceId" from workspaces w left join duplicate_progress/,
  "rows without words":
    /^\(select 'person_search' as table, workspace_id as "workspaceId" from person_search where words is/,
};

/** Statements that the background sends for some changes only. Each asks one shard. */
const SOMETIMES: Record<string, RegExp> = {
  "people whose company was merged": /^insert into duplicate_queue .* from person_companies/,
  "pairs that rest on an address that many share":
    /^insert into duplicate_queue .* exists \(select from duplicate_pairs/,
  "records of keys that say something again": /^insert into duplicate_queue .* from unnest\(((?!duplicate_pairs).)*$/,
  "keys that records have lost": /^update duplicate_crowds/,
};

/** A statement, and the values that it was sent with first. */
type Sent = Map<string, readonly unknown[]>;

/** The same database, with each statement noted. */
function noting(database: Database, sent: Sent): Database {
  const note = (sql = "", values: readonly unknown[] = []) => {
    if (!sent.has(sql)) sent.set(sql, values);
  };
  const noted =
    (read: Database["read"]): Database["read"] =>
    (sql, values, form) => {
      note(sql, values);
      return read(sql, values, form);
    };
  return {
    ...database,
    read: noted(database.read),
    sharedConnection: (name) => ({ read: noted(database.sharedConnection(name).read) }),
    queryPlanned: noted(database.queryPlanned),
    transaction(work, options) {
      for (const { text, values } of options?.opening ?? []) note(text, values);
      return database.transaction((trx) => {
        const send: typeof trx.send = (statement) => {
          note(statement.text, statement.values);
          return trx.send(statement);
        };
        return work({ ...trx, send });
      }, options);
    },
  };
}

/** The largest number of shards that a part of a statement asks; 0 for one that is answered by the coordinator. */
function shardsOf(plan: string): number {
  return Math.max(0, ...[...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)));
}

// docs/guides/citus.md#what-crosses-no-workspace
describeCitus("The statements of all operations and of the work in the background", (citus) => {
  const sent: Sent = new Map();
  let explainer: Explainer;

  beforeAll(async () => {
    const url = await citus.database();
    await migrate(url);
    const database = await openDatabase(url, { waits: PATIENT });
    const on = { url, database, drop: () => database.close() };
    const server = await startProcess({ on, wrap: (one) => noting(one, sent) });
    const world = await startWorld(database);
    const scene: Scene = {
      server,
      workspace: () => world.workspace(),
      api: (as) => client(server, typeof as === "string" ? as : as?.key),
      patientApi: (as) => client(server, as.key),
    };
    for (const operation of await loadOperations(database)) await call(scene, operation);
    await changeWhatWasLookedAt(scene, database);
    // Each look of the background comes at least every four seconds.
    for (const [name, look] of Object.entries({ ...ASK_ALL, ...SOMETIMES }))
      await until(
        `the background has sent: ${name}`,
        () => [...sent.keys()].some((sql) => look.test(plain(sql))),
        MINUTES,
      );
    await world.stop();
    await server.stop();
    explainer = await createExplainer(url);
  }, 10 * MINUTES);

  afterAll(() => explainer?.end());

  async function call(scene: Scene, operation: Operation): Promise<void> {
    const { workspace, names, ids } = await makeMaterial(scene);
    const body = operation.params.body && fullBody(operation.params.body, ids);
    await scene.api(workspace.ada).request(operation.method, pathOf(operation, names), body);
  }

  /** Changes what the background has looked at already: it sends some of its statements only then. */
  async function changeWhatWasLookedAt(scene: Scene, database: Database): Promise<void> {
    const { ada, uuid } = await scene.workspace();
    const post = async (path: string, body: object): Promise<Item> => {
      const answer = await scene.patientApi(ada).post(path, body);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.data;
    };
    // More people with one address than are compared with each other. docs/guides/duplicates.md#limits
    const records = Array.from({ length: 25 }, (_, i) => ({
      fullName: `Person ${i}`,
      emails: ["all@example.test"],
    }));
    const { results } = await post("/v1/people/batch/create", { records });
    const kept = await post("/v1/companies", { name: "Kept" });
    const merged = await post("/v1/companies", { name: "Merged" });
    await until(
      "the background has looked at them",
      async () => (await database.read("select from duplicate_marks where workspace_id = $1", [uuid])).length === 27,
      MINUTES,
    );
    const people = (results as { data: Item }[]).map(({ data }) => ({ id: data.id }));
    await post("/v1/people/batch/delete", { records: people.slice(10) });
    await post(`/v1/companies/${kept.id}/merge`, { records: [{ id: merged.id }] });
  }

  it("each ask one shard, but for the looks of the background", async () => {
    const crossing: string[] = [];
    for (const [sql, values] of sent) {
      if (!/^\(?(select|with|insert|update|delete)\b/.test(plain(sql))) continue;
      const mayAskAll = Object.values(ASK_ALL).some((look) => look.test(plain(sql)));
      const shards = await explainer.explain(sql, values).then(shardsOf, ({ message }: Error) => message);
      if (typeof shards === "string" || (shards > 1 && !mayAskAll)) crossing.push(`${shards}: ${plain(sql)}`);
    }
    expect(crossing).toEqual([]);
    expect(sent.size).toBeGreaterThan(100);
  });
});

function plain(sql: string): string {
  return sql.replace("/* background */", "").trim().replaceAll(/\s+/g, " ");
}
