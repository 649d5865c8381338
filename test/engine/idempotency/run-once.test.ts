import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ApiError } from "../../../base/contract/errors.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { run, type Transaction } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { claiming, lockOf, runOnce, type Settled } from "../../../engine/idempotency/run-once.ts";
import { until } from "../../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { OWN_LOCKS } from "../../support/own-locks.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await test.database.knex.schema.createTable("effects", (table) => table.text("note"));
  await test.database
    .knex("workspaces")
    .insert({ id: workspaceId, slug: "acme", name: "Acme", created_at: new Date() });
});

afterAll(() => test.drop());

const claim = { key: "k", fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
const workspaceId = newUuid();
const someone = () => ({ workspaceId, userId: newUuid(), claim });
type Someone = ReturnType<typeof someone>;

/** Work that leaves something and fails, under a claim. */
function fail(caller: Someone, before: (trx: Transaction) => Promise<void> = async () => undefined) {
  return test.database.transaction(
    async (trx): Promise<Settled<never>> => {
      const query: Query = (sql, values) => run(trx, sql, values);
      const work = async () => {
        await query("insert into effects values ($1)", [caller.userId]);
        await before(trx);
        throw new ApiError("UNPROCESSABLE_ENTITY", "No.");
      };
      return runOnce({ ...trx, query }, caller, work);
    },
    { opening: claiming(caller) },
  );
}

async function left({ userId }: Someone) {
  const [row] = await test.database.read<{ effects: number; saved: number | null }>(
    `select (select count(*) from effects where note = $1::text) as effects,
       (select status from saved_responses where user_id = $1::uuid) as saved`,
    [userId],
  );
  return row;
}

describe("A claim (docs/guides/idempotency.md#what-is-saved)", () => {
  it("saves an error, and nothing of the effect", async () => {
    const caller = someone();
    expect(await fail(caller)).toMatchObject({ error: { type: "UNPROCESSABLE_ENTITY" } });
    expect(await left(caller)).toEqual({ effects: 0, saved: 422 });
  });

  it("is held until the error is saved; when another request takes the key in between, the answer is 409 (docs/guides/idempotency.md#while-it-runs)", async () => {
    const caller = someone();
    const other = await test.database.knex.transaction();
    try {
      const waits = other.raw(`select pg_advisory_xact_lock(${lockOf(caller)})`);
      const failed = fail(caller, async () => {
        void waits.then();
        await until("the other waits for the lock", async () => {
          const sql = `select 1 from ${OWN_LOCKS} where locktype = 'advisory' and not granted`;
          return (await test.database.read(sql)).length > 0;
        });
      });
      await expect(failed).rejects.toMatchObject({ type: "IDEMPOTENCY_REQUEST_IN_PROGRESS" });
      expect(await left(caller)).toEqual({ effects: 0, saved: null });
    } finally {
      await other.rollback();
    }
  });
});
