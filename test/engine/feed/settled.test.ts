import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { run, type Transaction } from "../../../database/database.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { makePeriodsFor } from "../../../engine/events/periods.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { readEvents } from "../../../engine/feed/read-events.ts";
import { endOf, settledOf } from "../../../engine/feed/settled.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import type { LogEntry } from "../../../model/log.ts";
import { newestSeq } from "../../support/events.ts";
import { useHome } from "../../support/home.ts";
import { type OpenTransaction, openTransaction } from "../../support/open-transaction.ts";

// docs/guides/events.md#order, docs/decisions/0013-events.md#the-order
const home = useHome();
let acme: TestWorkspace;
let other: TestWorkspace;
let start: number;
/** Ends the transactions that a test has left open. */
let ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(ends.map((end) => end()));
  ends = [];
});

beforeEach(async () => {
  [acme, other] = [await home.workspace(), await home.workspace()];
  start = (await newestSeq(home.database)) + 1;
});

const created = (recordId = newUuid()): LogEntry => ({ type: "person.created", recordId, body: {} });
const append = (entries: LogEntry[], workspaceId = acme.uuid) =>
  appendToLog(home.database.read, { workspaceId }, entries);
const appendIn = (trx: Transaction, entries: LogEntry[], workspaceId = acme.uuid) =>
  appendToLog((...statement) => run(trx, ...statement), { workspaceId }, entries);

async function settled({ uuid }: TestWorkspace): Promise<number> {
  return (await settledOf(home.database.read, [uuid])).get(uuid)?.through ?? 0;
}

const feed = (after: number, { uuid, ada }: TestWorkspace = acme) =>
  readEvents(storeOf(home.database), { workspaceId: uuid, userId: ada.uuid }, { after, limit: 100 });
const found = async (workspace?: TestWorkspace) =>
  (await feed(start, workspace)).events.map(({ recordId }) => recordId);

/** Appends in a transaction that is open until `commit` is called. */
async function appendLate(entries: LogEntry[], workspaceId = acme.uuid): Promise<OpenTransaction> {
  const late = await openTransaction(home.database, (trx) => appendIn(trx, entries, workspaceId));
  ends.push(late.commit);
  return late;
}

describe("The log of a workspace", () => {
  it("is read up to the newest number of all, while nobody writes", async () => {
    await append([created(), created()], other.uuid);
    const newest = await newestSeq(home.database);
    expect([await settled(acme), await settled(other)]).toEqual([newest, newest]);
    expect(await feed(start)).toMatchObject({ events: [], through: newest + 1, hasMore: false });
  });

  it("is not read beyond an entry whose transaction has not ended, and then has all in the order of their numbers", async () => {
    const [early, late, soon] = [created(), created(), created()];
    await append([early]);
    const { commit } = await appendLate([late]);
    await append([soon]);
    expect(await found()).toEqual([early.recordId]);
    const page = await feed(start);
    expect(page.hasMore).toBe(false);
    await commit();
    expect((await feed(page.through)).events.map(({ recordId }) => recordId)).toEqual([late.recordId, soon.recordId]);
  });

  it("waits for its own writers, and for no others", async () => {
    const { commit } = await appendLate([created()]);
    await append([created()], other.uuid);
    expect(await found(other)).toHaveLength(1);
    expect(await settled(other)).toBe(await newestSeq(home.database));
    expect(await settled(acme)).toBeLessThan(await newestSeq(home.database));
    await commit();
  });

  it("waits for the writers of one whose id has the same end, too", async () => {
    const alike = `${newUuid().slice(0, -8)}${acme.uuid.slice(-8)}` as Uuid;
    const before = await newestSeq(home.database);
    const { commit } = await appendLate([created()], alike);
    await append([created()]);
    expect(await settled(acme)).toBe(before);
    await commit();
    expect(await found()).toHaveLength(1);
  });

  it("is read on when a transaction is undone, whose numbers nobody has", async () => {
    await expect(
      home.database.transaction(async (trx) => {
        await appendIn(trx, [created()]);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    const after = created();
    await append([after]);
    expect(await found()).toEqual([after.recordId]);
  });

  it("waits for a transaction that appends a second time", async () => {
    const entries = [created(), created(), created()];
    await home.database.transaction(async (trx) => {
      await appendIn(trx, entries.slice(0, 1));
      await append(entries.slice(1, 2));
      await appendIn(trx, entries.slice(2));
      expect(await found()).toEqual([]);
    });
    expect(await found()).toEqual(entries.map(({ recordId }) => recordId));
  });

  // A lock holds 32 bits of the number.
  it.each([2 ** 31, 2 ** 32, 2 ** 32 + 2 ** 31, 2 ** 33])("is read in order across the number %i", async (number) => {
    await makePeriodsFor(home.database.read, number);
    await home.database.read("select setval('change_log_seq', $1)", [number - 4]);
    start = number - 3;
    const [late, soon] = [[created(), created(), created()], created()];
    const { commit } = await appendLate(late);
    for (let i = 0; i < 5; i += 1) {
      await append([created()], other.uuid);
      expect([await settled(acme), await settled(other)]).toEqual([number - 4, number + 4 + 2 * i]);
    }
    await append([soon]);
    expect(await found()).toEqual([]);
    await commit();
    expect(await found()).toEqual([...late, soon].map(({ recordId }) => recordId));
  });
});

describe("A reader goes on", () => {
  it("behind both events of the last entry, and never back", () => {
    expect(endOf({ through: 40, last: 48 }, 30)).toBe(41);
    expect(endOf({ through: 40, last: 48 }, 45)).toBe(45);
    expect(endOf({ through: 48, last: 48 }, 49)).toBe(49);
  });

  it("at the end, when it was beyond all numbers: then the database has lost some", () => {
    expect(endOf({ through: 48, last: 48 }, 50)).toBe(49);
  });
});

describe("While several write at once", () => {
  const WRITERS = 4;
  const WRITES = 40;

  /** Has readers read on while work writes, and until they find nothing new. Gives what each has found. */
  async function readDuring(
    work: () => Promise<unknown>,
    readers: ((after: number) => Promise<{ events: PublishedEvent[]; through: number }>)[],
  ): Promise<PublishedEvent[][]> {
    let isWriting = true;
    const reading = readers.map(async (read) => {
      const events: PublishedEvent[] = [];
      for (let [after, isOver] = [start, false]; !isOver; ) {
        const wasWriting = isWriting;
        const page = await read(after);
        events.push(...page.events);
        isOver = !wasWriting && page.events.length === 0;
        after = page.through;
      }
      return events;
    });
    await work();
    isWriting = false;
    return Promise.all(reading);
  }

  const readers = () => [
    (after: number) => feed(after),
    async (after: number) => {
      const batches = await readAllEvents(home.database.read, new Map([[acme.uuid, after]]));
      return batches.get(acme.uuid) ?? { events: [], through: after };
    },
  ];

  it("feed and streams have each event once, in one order, and those of one record in the order of the commits", async () => {
    const recordId = newUuid();
    await home.database.read("create table if not exists counters (id uuid primary key, count int not null)");
    await home.database.read("insert into counters values ($1, 0)", [recordId]);
    const change = () =>
      home.database.transaction(async (trx) => {
        await appendIn(trx, [created()]);
        const [row] = await run<{ count: number }>(
          trx,
          "update counters set count = count + 1 where id = $1 returning count",
          [recordId],
        );
        const count = row?.count ?? 0;
        const changes = [{ path: ["jobTitle"], before: String(count - 1), after: String(count) }];
        await appendIn(trx, [{ type: "person.updated", recordId, body: { changes } }, created()]);
        // Writers of other workspaces draw numbers in between.
        await append([created()], other.uuid);
      });
    const changeOften = async () => {
      for (let i = 0; i < WRITES; i += 1) await change();
    };
    const all = await readDuring(() => Promise.all(Array.from({ length: WRITERS }, changeOften)), readers());
    const ids = all.map((events) => events.map(({ id }) => id));
    expect(ids[0]).toHaveLength(WRITERS * WRITES * 3);
    expect(new Set(ids[0]).size).toBe(WRITERS * WRITES * 3);
    expect(ids[1]).toEqual(ids[0]);
    const told = all[0]?.filter((event) => event.recordId === recordId).map(({ body }) => body.changes?.[0]?.value);
    expect(told).toEqual(Array.from({ length: WRITERS * WRITES }, (_, i) => String(i + 1)));
  });
});
