import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Uuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import { fillWords, tablesWithoutWords } from "../../../engine/search/missing-words.ts";
import { startWorld, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

let test: TestDatabase;
let world: World;
let workspace: TestWorkspace;

beforeAll(async () => {
  test = await testDatabase();
  world = await startWorld(test.database);
  workspace = await world.workspace();
});

afterAll(async () => {
  await world.stop();
  await test.drop();
});

const read = <Row>(sql: string, values: unknown[] = []) => test.database.read<Row>(sql, values);

const NOTES = `insert into notes (workspace_id, id, entity_kind, entity_id, content, visibility, created_by, created_at, search)
  select $1, gen_random_uuid(), 'person', gen_random_uuid(), 'Ada ' || n, 'public', gen_random_uuid(), now(), '' from generate_series(1, $2) n`;

/** Gives words to rows until none lacks them; gives the number of transactions. */
async function fill(): Promise<number> {
  let count = 0;
  for (let lacking = await tablesWithoutWords(test.database.read); lacking.length > 0; count++) {
    for (const one of lacking)
      await test.database.transaction((trx) => fillWords((...asked) => run(trx, ...asked), one));
    lacking = await tablesWithoutWords(test.database.read);
  }
  return count;
}

// docs/decisions/0025-search.md#rows-without-words
describe("Rows without words", () => {
  it("get them, 500 in a transaction", async () => {
    await read(NOTES, [workspace.uuid, 501]);
    expect((await tablesWithoutWords(test.database.read)).map(({ table }) => table)).toEqual(["notes"]);
    expect(await fill()).toBe(2);
    const [{ words = "" } = {}] = await read<{ words: string }>(
      "select words::text from notes where content = 'Ada 7'",
    );
    const own = (workspace.uuid as Uuid).slice(-6);
    expect(words).toBe(`'${own}o7' '${own}oada'`);
  });

  it("are those that a process of the release before changes, and not those of this release", async () => {
    const change = "update notes set content = 'Grace' where content = 'Ada 9'";
    await test.database.transaction((trx) => run(trx, change, []));
    const lacking = async () =>
      (await read<{ n: number }>("select count(*)::int as n from notes where words is null"))[0]?.n;
    const own = await lacking();
    await test.database.transaction(async (trx) => {
      await run(trx, "set local contact_workspace.takes_along = 'off'", []);
      await run(trx, "update notes set content = 'Hopper' where content = 'Ada 8'", []);
    });
    expect([own, await lacking()]).toEqual([0, 1]);
    await fill();
    const [{ words = "" } = {}] = await read<{ words: string }>(
      "select words::text from notes where content = 'Hopper'",
    );
    expect(words).toContain("ohopper");
  });

  it("that are being changed are left for later", async () => {
    await read(NOTES, [workspace.uuid, 1]);
    await test.database.transaction(async (trx) => {
      await run(trx, "select id from notes where words is null for update", []);
      const [lacking] = await tablesWithoutWords(test.database.read);
      expect(lacking?.table).toBe("notes");
      if (lacking)
        expect(await test.database.transaction((other) => fillWords((...asked) => run(other, ...asked), lacking))).toBe(
          false,
        );
    });
    expect(await fill()).toBe(1);
  });
});
