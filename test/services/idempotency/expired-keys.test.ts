import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { SWEEPS, sweep } from "../../../services/webhooks/retention/retention.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

let test: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  test = await testDatabase();
  workspaceId = newUuid();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
});

afterAll(() => test.drop());

describe("The sweep of expired keys (docs/guides/idempotency.md#keys)", () => {
  /** Keys whose time was over so many seconds ago; at one moment, or a second apart. */
  async function keep(name: string, count: number, agoS: number, apartS = 0): Promise<void> {
    await test.database.read(
      `insert into idempotency_keys (workspace_id, user_id, key, fingerprint, status, body, expires_at)
       select $1, $2, $3 || n, 'f', 200, 'x', now() - make_interval(secs => $4 + n * $5::float8) from generate_series(1, $6) n`,
      [workspaceId, newUuid(), name, agoS, apartS, count],
    );
  }

  async function kept(): Promise<string[]> {
    const rows = await test.database.read<{ name: string }>(
      "select distinct rtrim(key, '0123456789') as name from idempotency_keys order by 1",
    );
    return rows.map(({ name }) => name);
  }

  it("takes 5,000 of them in small statements, and leaves those whose time is not over", async () => {
    await keep("old", 3000, 10, 1);
    await keep("together", 2000, 5);
    await keep("fresh", 100, -60);
    const left: number[] = [];
    const database = {
      queryPlanned: async <Row>(sql: string, values?: readonly unknown[]) => {
        const rows = await test.database.queryPlanned<Row>(sql, values);
        const [counted] = await test.database.read<{ count: number }>("select count(*) from idempotency_keys");
        left.push(counted?.count ?? 0);
        return rows;
      },
    };
    expect(await sweep(database, SWEEPS["saved answers"], new Date())).toBe(5000);
    const steps = left.map((count, i) => (left[i - 1] ?? 5100) - count);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1000);
    expect(await kept()).toEqual(["fresh"]);
    expect(await sweep(test.database, SWEEPS["saved answers"], new Date())).toBe(0);
  });

  it("is done by several at once, who do not wait for each other, nor for a key that is taken anew", async () => {
    await keep("many", 3000, 5, 0.001);
    await test.database.transaction(async (trx) => {
      await trx.raw("update idempotency_keys set expires_at = now() + interval '1 day' where key = 'many1500'");
      const counts = await Promise.all([1, 2, 3].map(() => sweep(test.database, SWEEPS["saved answers"], new Date())));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2999);
    });
    expect(await kept()).toEqual(["fresh", "many"]);
  });

  it("ends at once when its service stops", async () => {
    await keep("late", 3000, 5);
    const stopping = new AbortController();
    const database = {
      queryPlanned: <Row>(sql: string, values?: readonly unknown[]) => {
        stopping.abort();
        return test.database.queryPlanned<Row>(sql, values);
      },
    };
    const purged = await sweep(database, SWEEPS["saved answers"], new Date(), stopping.signal);
    expect(purged).toBeGreaterThan(0);
    expect(purged).toBeLessThan(3000);
  });
});
