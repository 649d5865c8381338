import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import type { Frequency } from "../../../base/schedules/schedule.ts";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { onLogAppended } from "../../../engine/events/appended.ts";
import { createFiring, FIRED_AT_ONCE } from "../../../services/interactions/reminders/reminder-firing.service.ts";
import { dateOf, dayNumber, isOccurrence } from "../../base/schedules/slow-calendar.ts";
import { watchClock } from "../../base/schedules/slow-clock.ts";
import { counting } from "../../support/counting.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { insertReminders, type Reminders } from "../../support/reminders.ts";

const MINUTE_MS = 60_000;

// docs/guides/reminders.md#firing
let home: TestDatabase;

beforeAll(async () => {
  home = await testDatabase();
});

afterAll(() => home.drop());

beforeEach(async () => {
  await home.database.read("delete from tasks");
  await home.database.read("delete from change_log");
});

const workspaceId = newUuid();

const remind = (madeOn: Date, more: Reminders) => insertReminders(home.database, workspaceId, madeOn, more);

const nothingIsWrong = (zone: string): void => {
  throw new Error(`The zone ${zone} is not known`);
};
const firing = (onUnknownZone = nothingIsWrong) => createFiring(home.database, onUnknownZone);

/** Fires until nothing is due any more, and gives how many have fired. */
async function fireAll(now: Date, worker = firing()): Promise<number> {
  let all = 0;
  for (;;) {
    const { fired, hasMore } = await worker.fireDue(now);
    all += fired;
    if (!hasMore) return all;
  }
}

/** The instants for which reminders have fired, in their order. */
async function told(uuid?: Uuid): Promise<string[]> {
  const rows = await home.database.read<{ at: string }>(
    "select body -> 'details' ->> 'lastTriggeredTime' as at from change_log where $1::uuid is null or record_id = $1 order by 1, seq",
    [uuid ?? null],
  );
  return rows.map(({ at }) => at);
}

async function times(uuid: Uuid | undefined): Promise<[last: string | null, next: string | null]> {
  const [row] = await home.database.read<{ last: Date | null; next: Date | null }>(
    "select last_trigger_at as last, next_trigger_at as next from tasks where id = $1",
    [uuid],
  );
  return [row?.last?.toISOString() ?? null, row?.next?.toISOString() ?? null];
}

it("a reminder fires when its time has come, not before, and once", async () => {
  const [uuid] = await remind(new Date("2026-03-01T00:00:00Z"), {});
  expect(await fireAll(new Date("2026-03-02T08:59:59.999Z"))).toBe(0);
  expect(await times(uuid)).toEqual([null, "2026-03-02T09:00:00.000Z"]);
  expect(await fireAll(new Date("2026-03-02T09:00:00Z"))).toBe(1);
  expect(await times(uuid)).toEqual(["2026-03-02T09:00:00.000Z", null]);
  expect(await fireAll(new Date("2027-01-01T00:00:00Z"))).toBe(0);
  expect(await told(uuid)).toEqual(["2026-03-02T09:00:00.000Z"]);
});

it("it is told with the planned instant, the next one, and who may know of it", async () => {
  const [uuid] = await remind(new Date("2026-03-01T00:00:00Z"), { recurrenceFrequency: "weekly" });
  await fireAll(new Date("2026-03-02T09:00:03.217Z"));
  const rows = await home.database.read("select workspace_id, type, record_id, source, user_id, body from change_log");
  expect(rows).toEqual([
    {
      workspace_id: workspaceId,
      type: "reminder.triggered",
      record_id: uuid,
      source: "system",
      user_id: null,
      body: {
        details: {
          lastTriggeredTime: "2026-03-02T09:00:00.000Z",
          nextTriggeredTime: "2026-03-09T09:00:00.000Z",
        },
      },
    },
  ]);
  expect(await times(uuid)).toEqual(["2026-03-02T09:00:00.000Z", "2026-03-09T09:00:00.000Z"]);
});

it("it is told in the log of its workspace, and to those who wait for something there, once it is committed", async () => {
  const other = newUuid();
  const long = new Date("2026-03-01T00:00:00Z");
  await remind(long, { count: 3 });
  const ofOther = await insertReminders(home.database, other, long, { count: 2 });
  await insertReminders(home.database, newUuid(), long, { dueAt: "2026-04-01" });
  const appended: Uuid[] = [];
  const forget = onLogAppended(home.database, (id) => appended.push(id));
  await fireAll(new Date("2026-03-02T09:00:00Z"));
  forget();
  expect(appended.toSorted()).toEqual([workspaceId, other].toSorted());
  const rows = await home.database.read<{ id: Uuid }>(
    "select record_id as id from change_log where workspace_id = $1",
    [other],
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ofOther.toSorted());
  expect(await told()).toHaveLength(5);
});

it("after weeks in which nobody fired it fires once, for the latest time that was missed", async () => {
  const [uuid] = await remind(new Date("2026-03-01T00:00:00Z"), { recurrenceFrequency: "weekday" });
  await fireAll(new Date("2026-04-01T12:00:00Z"));
  expect(await told(uuid)).toEqual(["2026-04-01T09:00:00.000Z"]);
  expect(await times(uuid)).toEqual(["2026-04-01T09:00:00.000Z", "2026-04-02T09:00:00.000Z"]);
});

it("a record that has no next time does not fire: one that is completed, or was made as a task", async () => {
  const long = new Date("2026-03-01T00:00:00Z");
  const done = await remind(long, { planned: null, completedAt: long, recurrenceFrequency: "weekly" });
  expect(await fireAll(new Date("2026-04-01T00:00:00Z"))).toBe(0);
  expect(await told(done[0])).toEqual([]);
});

it("a reminder in a zone that the runtime does not know holds up no other, and fires where it is known", async () => {
  const long = new Date("2026-03-01T00:00:00Z");
  const planned = new Date("2026-03-02T08:00:00Z");
  const strange = await remind(long, { timeZone: "Mars/Olympus_Mons", planned, count: FIRED_AT_ONCE + 1 });
  const [uuid] = await remind(long, {});
  const unknown: string[] = [];
  const worker = firing((zone) => unknown.push(zone));
  const now = new Date("2026-03-02T09:00:00Z");
  expect(await fireAll(now, worker)).toBe(FIRED_AT_ONCE + 1);
  expect([await told(), await told(uuid)]).toEqual([["2026-03-02T09:00:00.000Z"], ["2026-03-02T09:00:00.000Z"]]);
  expect(unknown).toEqual(["Mars/Olympus_Mons"]);
  expect((await worker.fireDue(now)).fired).toBe(0);

  await home.database.read("update tasks set time_zone = 'UTC' where time_zone like 'Mars/%'");
  await fireAll(now, worker);
  expect(await told(strange[0])).toEqual(["2026-03-02T09:00:00.000Z"]);
});

it("a reminder that is being changed is left for the next time, and the others fire", async () => {
  const [held, free] = await remind(new Date("2026-03-01T00:00:00Z"), { count: 2 });
  const now = new Date("2026-03-02T09:00:00Z");
  await home.database.transaction(async (trx) => {
    await trx.raw(`select from tasks where id = '${held}' for no key update`);
    expect(await fireAll(now)).toBe(1);
    expect([await told(held), await told(free)]).toEqual([[], ["2026-03-02T09:00:00.000Z"]]);
  });
  expect(await fireAll(now)).toBe(1);
  expect(await told(held)).toEqual(["2026-03-02T09:00:00.000Z"]);
});

it("what another process has taken does not keep one from the rest of the workspace", async () => {
  await remind(new Date("2026-03-01T00:00:00Z"), { count: FIRED_AT_ONCE + 50 });
  const now = new Date("2026-03-02T09:00:00Z");
  await home.database.transaction(async (trx) => {
    await trx.raw(`select from tasks order by next_trigger_at limit ${FIRED_AT_ONCE} for no key update`);
    const firing = createFiring(home.database, nothingIsWrong);
    expect(await firing.fireDue(now)).toEqual({ fired: 50, hasMore: true });
    expect(await firing.fireDue(now)).toEqual({ fired: 0, hasMore: false });
  });
  expect(await fireAll(now)).toBe(FIRED_AT_ONCE);
});

it("the same instant is told once, also when its time is planned anew by a clock that is behind", async () => {
  const planned = new Date("2026-03-02T09:00:00Z");
  const [uuid] = await remind(planned, { planned });
  await fireAll(planned);
  await home.database.read("update tasks set next_trigger_at = $1", [planned]);
  expect(await fireAll(planned)).toBe(1);
  expect(await told(uuid)).toEqual([planned.toISOString()]);
  expect(await times(uuid)).toEqual([planned.toISOString(), null]);
});

it("1,000 that are due in the same minute fire once each, however many fire them at once", async () => {
  const long = new Date("2026-03-01T00:00:00Z");
  const uuids = await remind(long, { count: 1000, recurrenceFrequency: "monthly", timeZone: "Europe/Berlin" });
  const now = new Date("2026-03-02T08:00:30Z");
  const fired = await Promise.all([firing(), firing(), firing()].map((worker) => fireUntilDone(worker, now)));
  expect(fired.reduce((sum, count) => sum + count, 0)).toBe(1000);
  const rows = await home.database.read<{ id: Uuid }>("select record_id as id from change_log");
  expect(rows).toHaveLength(1000);
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(uuids));
  const planned = await home.database.read("select distinct last_trigger_at, next_trigger_at from tasks");
  expect(planned).toEqual([
    { last_trigger_at: new Date("2026-03-02T08:00:00Z"), next_trigger_at: new Date("2026-04-02T07:00:00Z") },
  ]);
});

/** What one has taken is not there for the others, so they may find nothing and go on while something is left. */
async function fireUntilDone(worker: ReturnType<typeof createFiring>, now: Date): Promise<number> {
  let all = 0;
  for (;;) {
    const { fired } = await worker.fireDue(now);
    all += fired;
    if (fired === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const [left] = await home.database.read("select from tasks where next_trigger_at <= $1 limit 1", [now]);
    if (!left) return all;
  }
}

it("firing 1,000 takes a transaction of three statements for each 200", async () => {
  await remind(new Date("2026-03-01T00:00:00Z"), { count: 1000 });
  const seen: string[] = [];
  const worker = createFiring(counting(home.database, seen, { background: true }), nothingIsWrong);
  await fireAll(new Date("2026-03-02T09:00:00Z"), worker);
  const words = seen.map((sql) => sql.split(" ")[0]);
  // Before each transaction a look whether there is anything to fire, and one more at the end.
  const looks = words.filter((word) => word === "/*").length;
  expect([words.filter((word) => word !== "/*"), looks]).toEqual([
    Array(5).fill(["begin", "select", "update", "insert", "commit"]).flat(),
    6,
  ]);
});

const YEAR: [Frequency, zone: string, dueAt: string, dueTime: string, times: number][] = [
  ["weekly", "Europe/Berlin", "2026-01-04", "02:30:00", 52],
  ["biweekly", "America/New_York", "2026-01-02", "17:30:15", 26],
  ["monthly", "Europe/Berlin", "2026-01-31", "09:00:00", 12],
  ["quarterly", "Australia/Lord_Howe", "2026-01-15", "01:45:00", 4],
  ["weekday", "Asia/Kolkata", "2026-01-03", "09:00:00", 259],
  ["weekday", "America/Sao_Paulo", "2025-06-01", "00:00:00", 261],
  ["yearly", "Pacific/Apia", "2024-02-29", "23:59:59", 1],
];

it("through a year all fire at each instant of their rules, and at no other", async () => {
  const begin = new Date("2026-01-01T00:00:00Z");
  const end = new Date("2027-01-01T00:00:00Z");
  const uuids: Uuid[] = [];
  for (const [recurrenceFrequency, timeZone, dueAt, dueTime] of YEAR)
    uuids.push(...(await remind(begin, { recurrenceFrequency, timeZone, dueAt, dueTime })));
  const worker = firing();
  // A clock that ticks every 47 minutes hardly ever shows a planned instant, as a real one does.
  for (let at = begin.getTime(); at < end.getTime(); at += 47 * MINUTE_MS) await fireAll(new Date(at), worker);
  await fireAll(end, worker);
  for (const [i, [frequency, zone, anchor, time, count]] of YEAR.entries()) {
    const clock = watchClock(zone, "2025-12-30", "2027-01-03");
    const days = Array.from({ length: 372 }, (_, day) => dayNumber("2025-12-29") + day);
    const instants = days
      .filter((day) => isOccurrence({ anchor, frequency }, day))
      .map((day) => clock(dateOf(day), time));
    const wanted = instants.filter((instant) => instant > begin && instant <= end).map((one) => one.toISOString());
    expect([zone, await told(uuids[i])]).toEqual([zone, wanted]);
    expect([zone, wanted.length]).toEqual([zone, count]);
  }
});
