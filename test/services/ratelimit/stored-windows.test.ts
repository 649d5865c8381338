import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { admit, type Log, type Policy } from "../../../base/contract/rate-windows.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { databaseClock } from "../../../services/ratelimit/database-clock.ts";
import { logOf, storedOf, unitsOf } from "../../../services/ratelimit/request-log-of-window.ts";
import { readClock, storeLogs, takeAllStored } from "../../../services/ratelimit/windows.queries.ts";
import { SWEEPS, sweep } from "../../../services/webhooks/retention/retention.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const POLICIES: Policy[] = [
  { name: "default", quota: 20, windowS: 60 },
  { name: "burst", quota: 4, windowS: 2 },
];
/** Whole numbers, so that both sides can agree to the last digit. */
const IN_MICROSECONDS = POLICIES.map((policy) => ({ ...policy, windowS: policy.windowS * 1000 }));
const us = (ms: number) => Math.round(ms * 1000);
const BEGINNING_MS = Date.parse("2026-03-01T12:00:00Z");

/** Times between requests in microseconds: mostly bursts, sometimes about a window. */
const gap = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 300_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1_999_999, 2_000_000, 2_000_001, 1) },
  { weight: 1, arbitrary: fc.integer({ min: 10_000_000, max: 70_000_000 }) },
);
const gaps = fc.array(gap, { minLength: 1, maxLength: 80 });

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.drop());

/** Asks for a request as a process of the release before does. */
async function ask(
  user: string,
  atMs: number,
): Promise<{ refusing: string | null; waitMs: number; standings: { counted: number; resetMs: number }[] }> {
  const [row] = await test.database.read<{ decision: string }>(
    `select take_from_rate_windows($1, $1, $2, $3, 1, '{}', true, 'epoch'::timestamptz + $4 * interval '1 microsecond') as decision`,
    [user, POLICIES.map(({ quota }) => quota), POLICIES.map(({ windowS }) => windowS * 1_000_000), us(atMs)],
  );
  const [refusing = 0, wait = 0, ...rest] = (row?.decision ?? "").split(",").map(Number);
  const standings = POLICIES.map((_, i) => ({ counted: rest[2 * i] ?? 0, resetMs: (rest[2 * i + 1] ?? 0) / 1000 }));
  return { refusing: POLICIES[refusing - 1]?.name ?? null, waitMs: wait / 1000, standings };
}

describe("rate windows in the database (docs/guides/growing.md#rate-windows)", () => {
  it("decide as those in memory do, and tell the same", async () => {
    await fc.assert(
      fc.asyncProperty(gaps, async (waits) => {
        const user = newUuid();
        const log: Log = [];
        let passedUs = 0;
        for (const wait of waits) {
          passedUs += wait;
          const expected = admit(log, IN_MICROSECONDS, passedUs);
          const { refusing, waitMs, standings } = await ask(user, BEGINNING_MS + passedUs / 1000);
          expect([refusing, us(waitMs), standings.map(({ counted, resetMs }) => [counted, us(resetMs)])]).toEqual([
            expected.exceeded,
            expected.retryAfterMs,
            expected.standings.map(({ remaining, resetMs }, i) => [(POLICIES[i]?.quota ?? 0) - remaining, resetMs]),
          ]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are taken from their holder by a process of the release before, which counts what that one may admit", async () => {
    const user = newUuid();
    await test.database.read(
      `insert into rate_windows (workspace_id, user_id, stamps, newest_units, holder, ahead, held_until)
       values ($1, $1, array[$2::bigint], 1, 'a/1', 2, $3)`,
      [user, us(BEGINNING_MS), us(BEGINNING_MS + 60_000)],
    );
    const { refusing, standings } = await ask(user, BEGINNING_MS + 1000);
    expect([refusing, standings.map(({ counted }) => counted)]).toEqual([null, [4, 4]]);
    const [row] = await test.database.read("select holder, ahead from rate_windows where user_id = $1", [user]);
    expect(row).toEqual({ holder: null, ahead: 0 });
    expect((await ask(user, BEGINNING_MS + 1001)).refusing).toBe("burst");
  });

  it("count as many requests as were written, and none earlier, however often they are written", () => {
    const exact = { toDatabase: (ms: number) => Math.ceil(ms * 1000), toProcess: (at: number) => at / 1000 };
    const policies = [
      { name: "default", quota: 3000, windowS: 60 },
      { name: "burst", quota: 300, windowS: 2 },
    ];
    const units = unitsOf(policies);
    expect(units).toBe(3);
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 300 }), fc.nat(40), (waits, requestsBetween) => {
        let now = 1_000_000;
        const times: number[] = [];
        let log: Log = [];
        for (const [i, wait] of waits.entries()) {
          now += wait;
          times.push(now);
          log.push(now);
          if (i % (requestsBetween + 1) > 0) continue;
          const stored = storedOf(log, units, exact);
          expect(stored.stamps.length).toBe(Math.ceil(log.length / units));
          log = logOf(stored, units, exact, now);
        }
        expect(log).toHaveLength(times.length);
        // A request has the time of one that came at most two later, so a hundredth of the smallest quota.
        for (const [i, time] of log.entries()) {
          expect(time).toBeGreaterThanOrEqual(times[i] ?? 0);
          expect(time).toBeLessThanOrEqual(times[Math.min(i + units - 1, times.length - 1)] ?? 0);
        }
      }),
    );
  });

  it("neither admit more nor lock anyone out when the clock of the database is set back by an hour", () => {
    const clock = databaseClock();
    clock.read(BEGINNING_MS * 1000, 100, 100);
    const stored = storedOf([98, 99, 100], 1, clock);
    const back = databaseClock();
    back.read((BEGINNING_MS - 3_600_000) * 1000, 200, 200);
    expect(logOf(stored, 1, back, 200).map(Math.round)).toEqual([198, 199, 200]);
  });

  it("lie in the database between a stop and the next start, and count no shorter than before", async () => {
    const users = Array.from({ length: 3 }, () => ({ workspaceId: newUuid(), userId: newUuid() }));
    await test.database.read("delete from rate_windows");
    const clock = databaseClock();
    await readClock(test.database, clock);
    const now = performance.now();
    const log = [now - 50_000, now - 1000, now];
    await storeLogs(
      test.database,
      users.map((user) => ({ user, ...storedOf(log, 1, clock) })),
    );
    const left = await takeAllStored(test.database);
    expect(left.map(({ user }) => user.userId).sort()).toEqual(users.map(({ userId }) => userId).sort());
    const after = databaseClock();
    await readClock(test.database, after);
    for (const stored of left) {
      const restored = logOf(stored, 1, after, performance.now());
      expect(restored).toHaveLength(3);
      for (const [i, time] of restored.entries()) {
        expect(time).toBeGreaterThanOrEqual(log[i] ?? 0);
        expect(time).toBeLessThan((log[i] ?? 0) + 5000);
      }
    }
    expect(await takeAllStored(test.database)).toEqual([]);
  });

  it("go when the last request of a user is old", async () => {
    const [idle, busy, held] = [newUuid(), newUuid(), newUuid()];
    const before = Date.now() - 60_000;
    await ask(idle, before - 1000);
    await ask(busy, before + 1000);
    // No request of this user is counted yet.
    await test.database.read(
      `insert into rate_windows (workspace_id, user_id, stamps, newest_units, holder, ahead, held_until)
       values ($1, $1, '{}', 1, 'a/1', 5, $2)`,
      [held, us(before + 1000)],
    );
    await sweep(test.database, SWEEPS["rate windows"], new Date(before));
    const rows = await test.database.read<{ id: string }>(
      "select user_id as id from rate_windows where user_id = any($1::uuid[])",
      [[idle, busy, held]],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([busy, held].sort());
  });
});
