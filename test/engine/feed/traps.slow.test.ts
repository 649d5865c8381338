import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog, lockKeyOf } from "../../../engine/events/append.ts";
import { settledOf } from "../../../engine/feed/settled.ts";
import { randomOf } from "../../../lab/harness/random.ts";
import type { LogEntry } from "../../../model/log.ts";
import { useHome } from "../../support/home.ts";

// Ways to order a log that look right and are not, each tried beside the way that this server takes: many writers, who
// pause before they commit, and a reader beside them. docs/decisions/0013-events.md#the-order
const home = useHome();

const WRITERS = 8;
const WRITES = 30;
const RECORDS = 3;
const PAUSE_MS_MAX = 6;

interface Row {
  seq: number;
  recordId: Uuid;
  /** Number of changes of the record until then. */
  count: number;
}

/** A way to append and to read. */
interface Way {
  /** Whether a number is drawn before the record is locked. */
  isEarly?: boolean;
  append(query: Query, workspaceId: Uuid, entry: LogEntry): Promise<void>;
  /** The numbers up to which a reader may read. */
  settled(workspaceId: Uuid): Promise<number>;
}

const OURS: Way = {
  append: (query, workspaceId, entry) => appendToLog(query, { workspaceId }, [entry]),
  settled: async (workspaceId) => (await settledOf(home.database.read, [workspaceId])).get(workspaceId)?.through ?? 0,
};

const newest = async () => {
  const [row] = await home.database.read<{ seq: number }>("select last_value::float8 as seq from change_log_seq", []);
  return row?.seq ?? 0;
};

/** Appends with a number that was drawn before the lock was taken. */
async function appendThenLock(query: Query, workspaceId: Uuid, { type, recordId, body }: LogEntry): Promise<void> {
  const [drawn] = await query<{ seq: number }>("select nextval('change_log_seq')::float8 as seq", []);
  await pause(PAUSE_MS_MAX);
  await query("select pg_advisory_xact_lock_shared($1, (select last_value & 1073741823 from change_log_seq)::int)", [
    lockKeyOf(workspaceId),
  ]);
  await query(
    `insert into change_log (workspace_id, seq, id, type, record_id, source, body)
     values ($1, $2, $3, $4, $5, 'system', $6)`,
    [workspaceId, drawn?.seq, newUuid(), type, recordId, JSON.stringify(body)],
  );
}

beforeAll(() => home.database.read("create table counters (id uuid primary key, count int not null)"));

/** Has many write and one read on, and gives what the reader got wrong. */
async function tryOut({ isEarly = false, append, settled }: Way, seed: number) {
  const { uuid: workspaceId } = await home.workspace();
  const records = Array.from({ length: RECORDS }, () => newUuid());
  for (const id of records) await home.database.read("insert into counters values ($1, 0)", [id]);
  let after = await newest();
  let isWriting = true;
  const read: Row[] = [];

  const write = async (random: () => number) => {
    const id = records[Math.floor(random() * RECORDS)] as Uuid;
    await home.database.transaction(async (trx) => {
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const entry = (count: number): LogEntry => ({
        type: "person.updated",
        recordId: id,
        body: { changes: [{ path: ["count"], before: count - 1, after: count }] },
      });
      // A transaction that draws its number before it waits for the record, as its id would be.
      const [early] = isEarly
        ? await query<{ seq: number }>("select nextval('change_log_seq')::float8 as seq", [])
        : [];
      if (early) await pause(random() * PAUSE_MS_MAX);
      const changed = "update counters set count = count + 1 where id = $1 returning count";
      const [row] = await query<{ count: number }>(changed, [id]);
      await append(query, workspaceId, entry(row?.count ?? 0));
      if (early)
        await query("update change_log set seq = $2 where workspace_id = $1 and seq = lastval()", [
          workspaceId,
          early.seq,
        ]);
      await pause(random() * PAUSE_MS_MAX);
    });
  };
  const readAll = (from: number, through: number) =>
    home.database.read<Row>(
      `select seq::float8 as seq, record_id as "recordId", (body #>> '{changes,0,after}')::int as count
       from change_log where workspace_id = $1 and seq > $2 and seq <= $3 order by seq`,
      [workspaceId, from, through],
    );
  const readOn = async () => {
    for (let isOver = false; !isOver; ) {
      const wasWriting = isWriting;
      const through = await settled(workspaceId);
      const rows = await readAll(after, through);
      read.push(...rows);
      after = Math.max(after, through);
      isOver = !wasWriting && rows.length === 0;
    }
  };
  const reading = readOn();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, i) => {
      const random = randomOf(seed + i);
      for (let n = 0; n < WRITES; n += 1) await write(random);
    }),
  );
  isWriting = false;
  await reading;
  const log = await readAll(0, await newest());
  const orders = records.map((id) => log.filter(({ recordId }) => recordId === id).map(({ count }) => count));
  return {
    skipped: WRITERS * WRITES - new Set(read.map(({ seq }) => seq)).size,
    twice: read.length - new Set(read.map(({ seq }) => seq)).size,
    outOfOrder: orders.some((counts) => counts.some((count, i) => i > 0 && count < (counts[i - 1] ?? 0))),
  };
}

it("A reader of this log skips nothing, has nothing twice, and has each record in the order of its commits", async () => {
  for (const seed of [1, 101]) expect(await tryOut(OURS, seed)).toEqual({ skipped: 0, twice: 0, outOfOrder: false });
});

it("A reader that reads up to the newest number skips what is committed late", async () => {
  expect((await tryOut({ ...OURS, settled: newest }, 1)).skipped).toBeGreaterThan(0);
});

it("A reader skips what is committed late when writers draw a number before they announce it", async () => {
  expect((await tryOut({ ...OURS, append: appendThenLock }, 1)).skipped).toBeGreaterThan(0);
});

it("A reader has changes of a record in a wrong order when a number is drawn before the record is locked", async () => {
  expect((await tryOut({ ...OURS, isEarly: true }, 1)).outOfOrder).toBe(true);
});
