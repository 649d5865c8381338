import { beforeEach, expect, it } from "@jest/globals";
import type { Uuid } from "../../../base/values/ids.ts";
import { takeOver } from "../../../engine/events/take-over.ts";
import { readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { newestSeq, publishOne } from "../../support/events.ts";
import { useHome } from "../../support/home.ts";

// docs/decisions/0013-events.md
const home = useHome();

beforeEach(async () => {
  for (const table of ["outbox", "change_log"]) await home.database.read(`delete from ${table}`);
});

const BODY = { groups: [], changes: [{ path: ["jobTitle"], type: "set", value: "CTO" }] };

/** Writes events as a process of the release before does, and gives the records that they are about. */
async function writeOld(workspaceId: Uuid, count = 1): Promise<Uuid[]> {
  const rows = await home.database.read<{ recordId: Uuid }>(
    `insert into outbox (workspace_id, id, type, record_id, body)
     select $1, gen_random_uuid(), 'person.updated', gen_random_uuid(), $2::json from generate_series(1, $3::int)
     returning record_id as "recordId"`,
    [workspaceId, JSON.stringify(BODY), count],
  );
  return rows.map(({ recordId }) => recordId);
}

async function logOf(workspaceId: Uuid): Promise<Uuid[]> {
  const rows = await home.database.read<{ recordId: Uuid }>(
    `select record_id as "recordId" from change_log where workspace_id = $1 and type = 'person.updated' order by seq`,
    [workspaceId],
  );
  return rows.map(({ recordId }) => recordId);
}

const left = async () => (await home.database.read("select from outbox")).length;

it("nothing is taken over when no process of the release before writes any more", async () => {
  expect(await takeOver(home.database)).toBeNull();
});

it("events of the release before come into the log of their workspace, as they are told, in their order", async () => {
  const [one, other] = [await home.workspace(), await home.workspace()];
  const start = await newestSeq(home.database);
  const ofOne = await writeOld(one.uuid, 3);
  const ofOther = await writeOld(other.uuid, 2);
  ofOne.push(...(await writeOld(one.uuid, 1)));
  const before = await home.database.read("select id from outbox where workspace_id = $1 order by seq", [one.uuid]);

  expect([await takeOver(home.database), await logOf(one.uuid), await left()]).toEqual([one.uuid, ofOne, 2]);
  expect([await takeOver(home.database), await logOf(other.uuid), await left()]).toEqual([other.uuid, ofOther, 0]);
  expect(await takeOver(home.database)).toBeNull();

  const batch = (await readAllEvents(home.database.read, new Map([[one.uuid, start]]))).get(one.uuid);
  expect(batch?.events.map(({ id }) => ({ id }))).toEqual(before);
  expect(batch?.events.map(({ type, body }) => ({ type, body }))).toEqual(
    Array(4).fill({ type: "person.updated", body: BODY }),
  );
});

it("thousands of one workspace are taken over in several transactions", async () => {
  const { uuid } = await home.workspace();
  const written = await writeOld(uuid, 1_200);
  const lefts: number[] = [];
  while ((await takeOver(home.database)) !== null) lefts.push(await left());
  expect(lefts).toEqual([700, 200, 0]);
  expect(await logOf(uuid)).toEqual(written);
});

it("each is taken over once, however many processes do so at once", async () => {
  const workspaces = [await home.workspace(), await home.workspace()];
  const written = new Map<Uuid, Uuid[]>();
  for (const { uuid } of workspaces) written.set(uuid, await writeOld(uuid, 700));
  const takeAll = async () => {
    while ((await left()) > 0) await takeOver(home.database);
  };
  await Promise.all([takeAll(), takeAll(), takeAll()]);
  for (const { uuid } of workspaces) expect((await logOf(uuid)).toSorted()).toEqual(written.get(uuid)?.toSorted());
});

it("no reader passes over one that is being taken over while others are written", async () => {
  const { uuid } = await home.workspace();
  const start = await newestSeq(home.database);
  const batch = async () => (await readAllEvents(home.database.read, new Map([[uuid, start]]))).get(uuid);
  const [old] = await writeOld(uuid);
  const [taken, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taking = takeOver({
    ...home.database,
    transaction: (work, options) =>
      home.database.transaction(async (trx) => {
        const result = await work(trx);
        taken.resolve();
        await end.promise;
        return result;
      }, options),
  });
  await taken.promise;
  const { recordId } = await publishOne(home.database, uuid, {});
  const early = await batch();
  expect([early?.events, (early?.through ?? 0) <= start + 1]).toEqual([[], true]);
  end.resolve();
  await taking;
  expect((await batch())?.events.map((event) => event.recordId)).toEqual([old, recordId]);
});
