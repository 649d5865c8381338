import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { type Database, openDatabase } from "../../../database/database.ts";
import { lockOf } from "../../../engine/idempotency/run-once.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { useHome } from "../../support/home.ts";

// Work begins with the definitions that its process has, which another process may have changed.
const home = useHome();
let other: Database;
let caller: Caller;

beforeAll(async () => {
  const { uuid, ada } = await home.workspace();
  caller = { workspaceId: uuid, userId: ada.uuid, keyId: null, access: "full" };
  other = await openDatabase(home.url);
});

afterAll(() => other.close());

/** Raises the version of the definitions in the other process. */
const changeElsewhere = () => storeOf(other).changeDefinitions({ workspaceId: caller.workspaceId }, async () => null);

/** Appends one entry, and notes with which definitions. */
async function writeNoting(seen: number[], work: () => void = () => undefined): Promise<unknown> {
  return storeOf(home.database).write(caller, async ({ definitions, log }) => {
    seen.push(definitions.version);
    work();
    log.push({ type: "person.created", recordId: newUuid(), body: {} });
    return "done";
  });
}

async function entries(): Promise<number> {
  const [row] = await home.database.read<{ count: number }>(
    "select count(*)::int as count from change_log where workspace_id = $1",
    [caller.workspaceId],
  );
  return row?.count ?? 0;
}

it("A write whose definitions were outdated runs again with the present ones, and leaves what one run leaves", async () => {
  await writeNoting([]);
  await changeElsewhere();
  const [seen, before] = [[] as number[], await entries()];
  expect(await writeNoting(seen)).toBe("done");
  expect([seen.length, await entries()]).toEqual([2, before + 1]);
  expect(seen[1]).toBe((seen[0] ?? 0) + 1);
  const again: number[] = [];
  await writeNoting(again);
  expect(again).toEqual([seen[1]]);
});

it("An error is told only when it comes from the present definitions", async () => {
  await writeNoting([]);
  await changeElsewhere();
  const seen: number[] = [];
  const refuseTheFirst = () => {
    if (seen.length === 1) throw new ApiError("UNPROCESSABLE_ENTITY", "The field is gone.");
  };
  expect(await writeNoting(seen, refuseTheFirst)).toBe("done");
  expect(seen).toHaveLength(2);
});

it("Work whose claim another process holds is undone with 409", async () => {
  const claim = { key: "k", fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
  const before = await entries();
  await other.transaction(
    async (trx) => {
      await trx.opened;
      const refused = storeOf(home.database).write({ ...caller, claim }, async ({ log }) => {
        log.push({ type: "person.created", recordId: newUuid(), body: {} });
        return "done";
      });
      await expect(refused).rejects.toMatchObject({ type: "IDEMPOTENCY_REQUEST_IN_PROGRESS" });
    },
    { opening: [{ text: "select pg_advisory_xact_lock($1)", values: [lockOf({ ...caller, claim })] }] },
  );
  expect(await entries()).toBe(before);
});
