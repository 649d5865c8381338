import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Decision, Policy } from "../../../base/contract/rate-windows.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { isAway } from "../../../bus/away.ts";
import { until } from "../../../lab/harness/until.ts";
import type { Limiter, User } from "../../../services/ratelimit/limiter.ts";
import { memoryLimiter } from "../../../services/ratelimit/memory-limiter.ts";
import { sharedLimiter } from "../../../services/ratelimit/shared-limiter.ts";
import { counting } from "../../support/counting.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const POLICIES: Policy[] = [
  { name: "default", quota: 50, windowS: 3600 },
  { name: "burst", quota: 20, windowS: 600 },
];
const PROCESSES = 4;
const HELD_MS = 3000;

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.drop());

const someone = (): User => ({ workspaceId: newUuid(), userId: newUuid() });
const takeMany = async (limiter: Limiter, user: User, count: number): Promise<Decision[]> =>
  Promise.all(Array.from({ length: count }, async () => limiter.countRequest(user)));
const admittedOf = (decisions: Decision[]) => decisions.filter(({ exceeded }) => exceeded === null).length;

describe("the rate windows of one process", () => {
  it("go on counting after an announced stop and the next start", async () => {
    const user = someone();
    const before = memoryLimiter(test.database, POLICIES);
    await before.open();
    expect(admittedOf(await takeMany(before, user, 15))).toBe(15);
    await before.close();
    const after = memoryLimiter(test.database, POLICIES);
    await after.open();
    const decisions = await takeMany(after, user, 10);
    expect(admittedOf(decisions)).toBe(5);
    expect(decisions.at(-1)?.standings.map(({ remaining }) => remaining)).toEqual([30, 0]);
    // They were taken over, not copied.
    const [row] = await test.database.read<{ count: number }>("select count(*) from rate_windows");
    expect(row?.count).toBe(0);
  });
});

describe("the rate windows that processes share", () => {
  const statements: string[] = [];

  /** A limiter as each process has one. */
  const limiter = (): Limiter => sharedLimiter(counting(test.database, statements), POLICIES);

  beforeEach(() => {
    statements.length = 0;
  });

  it("admit a quota once, whoever is asked", async () => {
    const user = someone();
    const all = Array.from({ length: PROCESSES }, limiter);
    const decisions = (await Promise.all(all.map((one) => takeMany(one, user, 30)))).flat();
    expect(admittedOf(decisions)).toBe(20);
  });

  it("are not asked again while a refusal holds", async () => {
    const user = someone();
    const one = limiter();
    for (let i = 0; i < 21; i++) await one.countRequest(user);
    statements.length = 0;
    const refusals = await takeMany(one, user, 100);
    expect(statements).toEqual([]);
    for (const { exceeded, retryAfterMs, standings } of refusals) {
      expect([exceeded, ...standings.map(({ remaining }) => remaining)]).toEqual(["burst", 30, 0]);
      expect(retryAfterMs).toBeGreaterThan(590_000);
      expect(retryAfterMs).toBeLessThanOrEqual(600_000);
    }
  });

  it("are asked a few times for a thousand requests that come at once", async () => {
    expect(admittedOf(await takeMany(limiter(), someone(), 1000))).toBe(20);
    // Four at a time: three may ask beside the first one that is refused.
    expect(statements.length).toBeLessThanOrEqual(20 + 4);
  });

  /** Whether each of so many requests at once is counted, or fails since something is away. */
  const outcomes = (one: Limiter, user: User, count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        try {
          return (await one.countRequest(user)).exceeded ?? "admitted";
        } catch (error) {
          return isAway(error) ? "away" : String(error);
        }
      }),
    );
  const all = (count: number, outcome: string) => Array<string>(count).fill(outcome);

  it("fail for a user whose row is locked, are asked seldom meanwhile, and decide for all others", async () => {
    const [user, other] = [someone(), someone()];
    const one = limiter();
    await one.countRequest(user);
    const trx = await test.database.knex.transaction();
    try {
      await trx.raw("select 1 from rate_windows where user_id = ? for update", [user.userId]);
      statements.length = 0;
      let rounds = 0;
      for (const since = performance.now(); performance.now() - since < HELD_MS; rounds += 1) {
        const [mine, theirs] = await Promise.all([outcomes(one, user, 30), outcomes(one, other, 1)]);
        expect(mine).toEqual(all(30, "away"));
        expect(theirs).toEqual(["admitted"]);
        await pause(250);
      }
      // The four that ask at once, and then one in a second.
      expect(statements.length - rounds).toBeLessThanOrEqual(4 + HELD_MS / 1000);
    } finally {
      await trx.rollback();
    }
    await until("the user is served again", async () => (await outcomes(one, user, 1))[0] === "admitted");
  });

  it("fail for everybody while the table is locked, within seconds, and admit nobody beyond the quota", async () => {
    const user = someone();
    const one = limiter();
    await one.countRequest(user);
    const trx = await test.database.knex.transaction();
    try {
      await trx.raw("lock table rate_windows");
      const begun = performance.now();
      expect(await outcomes(one, user, 30)).toEqual(all(30, "away"));
      expect(await outcomes(one, someone(), 1)).toEqual(["away"]);
      expect(performance.now() - begun).toBeLessThan(2500);
    } finally {
      await trx.rollback();
    }
    await until("the row is looked at again", async () => (await outcomes(one, user, 1))[0] === "admitted");
    expect((await one.countRequest(user)).standings.map(({ remaining }) => remaining)).toEqual([47, 17]);
  });
});
