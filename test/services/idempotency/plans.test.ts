import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { JsonSchemaValidator } from "../../../bus/validator.ts";
import { readEnv } from "../../../config/env.ts";
import { type Database, run } from "../../../database/database.ts";
import { makePeriod, savedResponses } from "../../../engine/periods/periods.ts";
import { storeOf } from "../../../engine/store/store.ts";
import idempotencyService from "../../../services/idempotency/idempotency.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

let test: TestDatabase;
/** The statements on saved responses, in their order. */
const asked: string[] = [];
const workspaceId = newUuid();
const claim = { key: "k", fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
const caller: Caller = { workspaceId, userId: newUuid(), keyId: null, access: "full", claim };

beforeAll(async () => {
  test = await testDatabase();
  const { read } = test.database;
  await read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [workspaceId]);
  const periods = savedResponses(60);
  const numbers = [Date.now() - 10_000, Date.now()];
  for (const number of numbers)
    await test.database.transaction((trx) => makePeriod((...statement) => run(trx, ...statement), periods, number));
  await read("select setval('saved_responses_period', $1)", [numbers[1]]);
});

afterAll(() => test.drop());

const note = (sql = "") => {
  if (sql.includes("saved_responses") && !sql.includes("catalog_version")) asked.push(sql);
};

it("A write in a new period asks for its key twice, with plans that serve however many rows there are", async () => {
  const { database } = test;
  const watched: Database = {
    ...database,
    read: (sql, values, form) => {
      note(sql);
      return database.read(sql, values, form);
    },
    transaction: (work, options) =>
      database.transaction((trx) => {
        const send: typeof trx.send = (statement) => {
          note(statement.text);
          return trx.send(statement);
        };
        return work({ ...trx, send });
      }, options),
  };
  const broker = new ServiceBroker({ logger: false, validator: new JsonSchemaValidator() });
  broker.createService(idempotencyService({ env: readEnv({}), database: watched }));
  await broker.start();
  const asking = { workspaceId, userId: caller.userId, key: claim.key };
  expect(await broker.call("idempotency.findSaved", asking)).toBeNull();
  await storeOf(watched).write(caller, async () => "1");
  expect(await broker.call("idempotency.findSaved", asking)).toMatchObject({ status: 200 });
  await broker.stop();
  const [lookUp = "", save = "", again] = asked;
  expect(asked).toEqual([lookUp, save, again]);
  expect(again).toBe(lookUp);
  for (const [sql, values] of [
    [lookUp, "gen_random_uuid(), array[]::uuid[], array[]::text[]"],
    [save, "gen_random_uuid(), gen_random_uuid(), 'k', 'f', 200::smallint, null, 60, 1"],
  ] as const) {
    const plan = await genericPlan(sql, values);
    // The newest period is the first, and one that has the key is the last that is read.
    const found = [...plan.matchAll(/Index Scan Backward using (\w+)_pkey/g)].map(([, name]) => name);
    expect(found).toEqual((await partitions()).reverse());
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  }
});

async function partitions(): Promise<string[]> {
  const rows = await test.database.read<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'saved_responses'::regclass order by inhrelid",
  );
  return rows.map(({ name }) => name);
}

/** The plan that is made once, for whatever values. */
function genericPlan(sql: string, values: string): Promise<string> {
  return test.database.transaction(async (trx) => {
    await trx.raw("set local plan_cache_mode = force_generic_plan");
    await trx.raw(`prepare asked as ${sql}`);
    const { rows } = (await trx.raw(`explain execute asked (${values})`)) as { rows: Record<string, string>[] };
    await trx.raw("deallocate asked");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}
