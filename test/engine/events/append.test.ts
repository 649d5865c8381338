import { describe, expect, it } from "@jest/globals";
import { madeAt, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog, sendToLog } from "../../../engine/events/append.ts";
import type { LogEntry } from "../../../model/log.ts";
import { useHome } from "../../support/home.ts";

const MIB = 1024 * 1024;
const entry = (length: number): LogEntry => ({
  type: "person.updated",
  recordId: newUuid(),
  body: { groups: [], changes: [{ path: ["jobTitle"], before: null, after: "x".repeat(length) }] },
});

/** A database that answers each statement when it is told to. */
function slowDatabase() {
  const waiting: (() => void)[] = [];
  const counts: number[] = [];
  const query = ((sql: string, values: unknown[]) => {
    if (sql.includes("insert into log_texts")) return Promise.resolve([]);
    // The number of entries of an array (database/array-parameter.ts).
    counts.push((values[3] as Buffer).readInt32BE(12));
    return new Promise((resolve) => waiting.push(() => resolve([])));
  }) as Query;
  return { query, counts, answer: () => waiting.shift()?.() };
}

// COMMIT is sent behind the last statement without waiting. One that followed it would be outside of the transaction.
it.each([
  ["a few entries are one statement, which is sent", [entry(10), entry(10)], [2]],
  ["none are none", [], []],
  ["long ones are several, of which all but the last are through", [entry(MIB), entry(MIB), entry(10)], [1, 2]],
  [
    "thousands are several, of which all but the last are through",
    Array.from({ length: 12_000 }, () => entry(1)),
    null,
  ],
] as [string, LogEntry[], number[] | null][])("%s before COMMIT", async (_, entries, counts) => {
  const database = slowDatabase();
  let sent: { last: Promise<void> } | undefined;
  const sending = sendToLog(database.query, { workspaceId: newUuid() }, entries).then((answer) => {
    sent = answer;
  });
  const sum = () => database.counts.reduce((all, count) => all + count, 0);
  while (!sent) {
    await new Promise(setImmediate);
    if (sent) break;
    expect(sum()).toBeLessThan(entries.length);
    database.answer();
  }
  await sending;
  expect(sum()).toBe(entries.length);
  if (counts) expect(database.counts).toEqual(counts);
  else expect(database.counts.length).toBeGreaterThan(1);
  database.answer();
  await (sent as { last: Promise<void> } | undefined)?.last;
});

// docs/decisions/0013-events.md
describe("Entries of the log", () => {
  const home = useHome();
  const rowsOf = (workspaceId: Uuid) =>
    home.database.read<{ seq: number; id: Uuid; record_id: Uuid } & Record<string, unknown>>(
      `select seq::float8 as seq, id, type, record_id, user_id, key_id, request_id, source, body
       from change_log where workspace_id = $1 order by seq`,
      [workspaceId],
    );

  it("keep what they tell, in their order, with ids of this moment, and leave a number for a second event", async () => {
    const workspaceId = newUuid();
    const both: LogEntry = { ...entry(3), type: "person.updated+groups_updated" };
    const entries = [entry(1), both, entry(2)];
    const begun = Date.now();
    await appendToLog(home.database.read, { workspaceId }, entries);
    const rows = await rowsOf(workspaceId);
    expect(rows.map(({ type, record_id: recordId, body }) => ({ type, recordId, body }))).toEqual(entries);
    const [first = 0] = rows.map(({ seq }) => seq);
    expect(rows.map(({ seq }) => seq)).toEqual([first, first + 2, first + 4]);
    expect(first % 2).toBe(0);
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    for (const id of ids) {
      expect(madeAt(id).getTime()).toBeGreaterThanOrEqual(begun);
      expect(madeAt(id).getTime()).toBeLessThanOrEqual(Date.now());
    }
  });

  it("tell who has changed something, with which key, in which request, and through what", async () => {
    const [workspaceId, userId, keyId, requestId] = [newUuid(), newUuid(), newUuid(), newUuid()];
    const append = (origin: object) => appendToLog(home.database.read, { workspaceId, ...origin }, [entry(1)]);
    await append({ userId, keyId, requestId, source: "assistant" });
    await append({ userId, keyId: null });
    await append({});
    const rows = await rowsOf(workspaceId);
    expect(rows.map(({ user_id, key_id, request_id, source }) => [user_id, key_id, request_id, source])).toEqual([
      [userId, keyId, requestId, "assistant"],
      [userId, null, null, "api"],
      [null, null, null, "system"],
    ]);
  });

  it("are there with the transaction of their changes, and not without it", async () => {
    const workspaceId = newUuid();
    const undone = home.database.transaction(async (trx) => {
      await appendToLog((...statement) => run(trx, ...statement), { workspaceId }, [entry(1)]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await rowsOf(workspaceId)).toEqual([]);
  });
});
