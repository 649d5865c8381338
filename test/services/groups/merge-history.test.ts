import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { firstUuidOf, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { SWEEPS, sweep } from "../../../services/webhooks/retention/retention.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const BEFORE = new Date("2026-06-01T00:00:00Z");
const OLD = new Date("2026-05-31T23:59:59Z");

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.drop());

async function workspaceWithMerges(...merges: [count: number, at: Date][]): Promise<Uuid> {
  const id = newUuid();
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, $2, 'W', now())", [id, id]);
  for (const [count, at] of merges)
    await test.database.read(
      `insert into merges (workspace_id, id, kind, survivor_id, merged_id, survivor_before, merged_before, created_at, created_by)
       select $1, overlay($2 placing substr(gen_random_uuid()::text, 25) from 25)::uuid, 'person', $1, $1, '{}', '{}', $3, $1
       from generate_series(1, $4::int)`,
      [id, firstUuidOf(at.getTime()), at, count],
    );
  return id;
}

it("What is kept of merges goes when its time is over, of all workspaces, and nothing else (docs/guides/merging.md#history)", async () => {
  const first = await workspaceWithMerges([350, OLD], [3, BEFORE]);
  await workspaceWithMerges([120, OLD]);
  const last = await workspaceWithMerges([5, OLD], [2, BEFORE]);
  const counts = await Promise.all([1, 2].map(() => sweep(test.database, SWEEPS["merged records"], BEFORE)));
  const rest = await sweep(test.database, SWEEPS["merged records"], BEFORE);
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(475);
  const left = await test.database.read(
    "select workspace_id as id, count(*)::int as count from merges group by 1 order by 1",
  );
  expect(left).toEqual([
    { id: first, count: 3 },
    { id: last, count: 2 },
  ]);
});
