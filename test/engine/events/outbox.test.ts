import { expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { sendEvents } from "../../../engine/events/outbox.ts";
import type { EventDraft } from "../../../model/events.ts";

const MIB = 1024 * 1024;
const event = (length: number): EventDraft => ({
  type: "person.updated",
  recordId: newUuid(),
  body: { groups: [], changes: [{ field: ["x".repeat(length)] } as never] },
});

/** A database that answers each statement when it is told to. */
function slowDatabase() {
  const waiting: (() => void)[] = [];
  const counts: number[] = [];
  const query = ((_sql: string, values: unknown[]) => {
    counts.push((values[4] as unknown[]).length);
    return new Promise((resolve) => waiting.push(() => resolve([])));
  }) as Query;
  return { query, counts, answer: () => waiting.shift()?.() };
}

// COMMIT is sent behind the last statement without waiting. One that followed it would be outside of the transaction.
it.each([
  ["a few events are one statement, which is sent", [event(10), event(10)], [2]],
  ["none are none", [], []],
  ["long ones are several, of which all but the last are through", [event(MIB), event(MIB), event(10)], [1, 2]],
  [
    "thousands are several, of which all but the last are through",
    Array.from({ length: 12_000 }, () => event(1)),
    null,
  ],
] as [string, EventDraft[], number[] | null][])("%s before COMMIT", async (_, events, counts) => {
  const database = slowDatabase();
  let sent: { last: Promise<void> } | undefined;
  const sending = sendEvents(database.query, newUuid(), events).then((answer) => {
    sent = answer;
  });
  const sum = () => database.counts.reduce((all, count) => all + count, 0);
  while (!sent) {
    await new Promise(setImmediate);
    if (sent) break;
    expect(sum()).toBeLessThan(events.length);
    database.answer();
  }
  await sending;
  expect(sum()).toBe(events.length);
  if (counts) expect(database.counts).toEqual(counts);
  else expect(database.counts.length).toBeGreaterThan(1);
  database.answer();
  await (sent as { last: Promise<void> } | undefined)?.last;
});
