import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { admit, type Log, type Policy } from "../../../base/contract/rate-windows.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { agesOf, logOf, unitsOf } from "../../../services/ratelimit/request-log-of-window.ts";
import { countStored, storeLogs, takeAllStored } from "../../../services/ratelimit/windows.queries.ts";
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

/** Asks for one request at a time of one's own. */
async function ask(
  user: string,
  atMs: number,
  { policies = POLICIES, units = 1, missed = [] as number[] } = {},
): Promise<{ refusing: string | null; waitMs: number; standings: { counted: number; resetMs: number }[] }> {
  const [row] = await test.database.read<{ decision: string }>(
    `select take_from_rate_windows($1, $1, $2, $3, $4, $5, true, 'epoch'::timestamptz + $6 * interval '1 microsecond') as decision`,
    [
      user,
      policies.map(({ quota }) => quota),
      policies.map(({ windowS }) => windowS * 1_000_000),
      units,
      missed,
      Math.round(atMs * 1000),
    ],
  );
  const [refusing = 0, wait = 0, ...rest] = (row?.decision ?? "").split(",").map(Number);
  const standings = policies.map((_, i) => ({ counted: rest[2 * i] ?? 0, resetMs: (rest[2 * i + 1] ?? 0) / 1000 }));
  return { refusing: policies[refusing - 1]?.name ?? null, waitMs: wait / 1000, standings };
}

/** The most that were admitted within any window that lasts so long. */
function fullest(admittedMs: number[], windowMs: number): number {
  return Math.max(
    0,
    ...admittedMs.map((start) => admittedMs.filter((at) => at >= start && at < start + windowMs).length),
  );
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

  it("never admit more than a quota of thousands in any window, and refuse at most a hundredth too early", async () => {
    const policies = [
      { name: "default", quota: 3000, windowS: 60 },
      { name: "burst", quota: 300, windowS: 2 },
    ];
    const units = unitsOf(policies);
    expect(units).toBe(3);
    const user = newUuid();
    const admitted: number[] = [];
    let at = BEGINNING_MS;
    for (let i = 0; i < 900; i++) {
      at += (i * 7919) % 13;
      const { refusing } = await ask(user, at, { policies, units });
      const within = admitted.filter((other) => other > at - 2000).length;
      if (refusing === null) admitted.push(at);
      else expect(within).toBeGreaterThanOrEqual(300 - units);
    }
    expect(fullest(admitted, 2000)).toBeGreaterThan(290);
    expect(fullest(admitted, 2000)).toBeLessThanOrEqual(300);
    const [row] = await test.database.read<{ stamps: number }>(
      "select cardinality(stamps) as stamps from rate_windows where user_id = $1",
      [user],
    );
    expect(row?.stamps).toBeLessThanOrEqual(Math.ceil(admitted.length / units));
  });

  it("neither admit more nor lock anyone out when the clock of the database is set back by an hour", async () => {
    const user = newUuid();
    for (let i = 0; i < 4; i++) expect((await ask(user, BEGINNING_MS + i)).refusing).toBeNull();
    const back = BEGINNING_MS - 3_600_000;
    const refused = await ask(user, back);
    expect([refused.refusing, refused.waitMs]).toEqual(["burst", 1997]);
    // As the clock goes on from there, so do the windows.
    expect((await ask(user, back + 1996.999)).refusing).toBe("burst");
    expect((await ask(user, back + 1997)).refusing).toBeNull();
  });

  it("count what a process admitted while it could not tell", async () => {
    const user = newUuid();
    await ask(user, BEGINNING_MS);
    const { refusing, waitMs, standings } = await ask(user, BEGINNING_MS + 1000, {
      missed: [3_000_000, 500_000, 200_000, 100_000],
    });
    expect([refusing, waitMs, standings.map(({ counted }) => counted)]).toEqual(["burst", 1000, [5, 4]]);
  });

  it("keep only what some window counts", async () => {
    const user = newUuid();
    for (let i = 0; i < 30; i++) await ask(user, BEGINNING_MS + i * 20_000);
    const [row] = await test.database.read<{ stamps: number }>(
      "select cardinality(stamps) as stamps from rate_windows where user_id = $1",
      [user],
    );
    expect(row?.stamps).toBe(3);
  });

  it("admit exactly a quota of what comes at once", async () => {
    const user = { workspaceId: newUuid(), userId: newUuid() };
    const windows = { policies: POLICIES, units: 1 };
    const decisions = await Promise.all(Array.from({ length: 200 }, () => countStored(test.database, windows, user)));
    expect(decisions.filter(({ exceeded }) => exceeded === null)).toHaveLength(4);
    const [{ standings, retryAfterMs } = { standings: [], retryAfterMs: 0 }] = decisions.slice(-1);
    expect(standings.map(({ remaining }) => remaining)).toEqual([16, 0]);
    expect(retryAfterMs).toBeLessThanOrEqual(2000);
  });

  it("lie in the database between a stop and the next start, and count no shorter than before", async () => {
    const users = Array.from({ length: 3 }, () => ({ workspaceId: newUuid(), userId: newUuid() }));
    await test.database.read("delete from rate_windows");
    const now = performance.now();
    const log = [now - 50_000, now - 1000, now];
    await storeLogs(
      test.database,
      { policies: POLICIES, units: 1 },
      users.map((user) => ({ user, ages: agesOf(log, 1, now) })),
    );
    const left = await takeAllStored(test.database);
    expect(left.map(({ user }) => user.userId).sort()).toEqual(users.map(({ userId }) => userId).sort());
    for (const { ages, newestUnits } of left) {
      const restored = logOf(ages, 1, newestUnits, performance.now());
      expect(restored).toHaveLength(3);
      for (const [i, time] of restored.entries()) {
        expect(time).toBeGreaterThanOrEqual(log[i] ?? 0);
        expect(time).toBeLessThan((log[i] ?? 0) + 5000);
      }
    }
    expect(await takeAllStored(test.database)).toEqual([]);
  });

  it("go when the last request of a user is old", async () => {
    const [idle, busy] = [newUuid(), newUuid()];
    const before = Date.now() - 60_000;
    await ask(idle, before - 1000);
    await ask(busy, before + 1000);
    await sweep(test.database, SWEEPS["rate windows"], new Date(before));
    const rows = await test.database.read<{ id: string }>(
      "select user_id as id from rate_windows where user_id = any($1::uuid[])",
      [[idle, busy]],
    );
    expect(rows).toEqual([{ id: busy }]);
  });
});
