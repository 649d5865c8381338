import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { newUuid } from "../../base/values/ids.ts";
import type { Transaction } from "../../database/database.ts";
import { examineReminders } from "../../tools/doctor/data.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { insertReminders } from "../support/reminders.ts";

let home: TestDatabase;

beforeAll(async () => {
  home = await testDatabase();
  const database = home.database;
  const add = (more: object) => insertReminders(database, newUuid(), new Date(), more);
  await add({ dueAt: "2031-01-31", recurrenceFrequency: "monthly", timeZone: "Europe/Berlin" });
  await add({ dueAt: "2031-02-28", firstDueAt: "2031-01-31", recurrenceFrequency: "monthly" });
  await add({ dueAt: "2020-01-01" });
  await add({ dueAt: "2020-01-01", planned: new Date("2020-01-01T09:00:00Z") });
  await add({ dueAt: "2031-01-01", completedAt: new Date(), planned: null });
});

afterAll(() => home.drop());

const examine = (trx: Transaction) => {
  const rows = async (text: string, values: readonly unknown[]) => (await trx.send({ text, values })).rows;
  return examineReminders(rows as Parameters<typeof examineReminders>[0]);
};

it("doctor finds reminders sound that are planned by their rules, are due or are past (docs/guides/database.md#doctor)", async () => {
  expect(await home.database.transaction(examine)).toEqual({ ok: true, message: "4 reminders fire by their rules" });
});

it.each([
  [
    "next_trigger_at = next_trigger_at + interval '1 hour' where due_at = '2031-01-31'",
    /is planned for .*, and fires by its rule on .*: change its rule/,
  ],
  [
    "next_trigger_at = null where due_at = '2031-02-28'",
    /is planned for no time, and fires by its rule on 2031-02-28T09:00:00.000Z/,
  ],
  [
    "next_trigger_at = '2031-01-31 09:00+00' where due_at = '2031-02-28'",
    /is planned for 2031-01-31T09:00:00.000Z, and fires by its rule on 2031-02-28/,
  ],
  ["time_zone = 'Mars/Olympus_Mons' where due_at = '2031-01-31'", /knows no time zone "Mars\/Olympus_Mons"/],
  [
    "next_trigger_at = now() where completed_at is not null",
    /is completed, or was made as a task, and is planned to fire/,
  ],
  ["made_as = 'task' where due_at = '2031-01-31'", /is completed, or was made as a task, and is planned to fire/],
])("doctor finds what is wrong after: set %s", async (change, message) => {
  await home.database.transaction(async (trx) => {
    await trx.raw(`update tasks set ${change}`);
    expect(await examine(trx)).toEqual({ ok: false, message: expect.stringMatching(message) });
    await trx.restart([]);
  });
});
