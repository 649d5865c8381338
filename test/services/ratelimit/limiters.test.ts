import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Decision, Policy } from "../../../base/contract/rate-windows.ts";
import { newUuid } from "../../../base/values/ids.ts";
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
const SHARE = 5;

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
  const lines: string[] = [];
  const statements: string[] = [];

  /** A limiter as each process has one. */
  function limiter(): Limiter {
    const note = (...words: unknown[]) => void lines.push(words.join(" "));
    const logger = { warn: note, info: note } as unknown as Parameters<typeof sharedLimiter>[0]["logger"];
    return sharedLimiter({
      database: counting(test.database, statements),
      windows: { policies: POLICIES, units: 1 },
      processes: () => PROCESSES,
      logger,
    });
  }

  beforeEach(() => {
    lines.length = 0;
    statements.length = 0;
  });

  const takeAway = () => test.database.knex.raw("alter table rate_windows rename to lost_windows");
  const giveBack = () => test.database.knex.raw("alter table lost_windows rename to rate_windows");
  /** The store is tried again after a while. */
  const untilBack = (one: Limiter) =>
    until("the store is found again", async () => {
      await one.countRequest(someone());
      return lines.some((line) => line.includes("answer again"));
    });

  it("admit a quota once, whoever is asked", async () => {
    const user = someone();
    const all = Array.from({ length: PROCESSES }, limiter);
    const decisions = (await Promise.all(all.map((one) => takeMany(one, user, 30)))).flat();
    expect(admittedOf(decisions)).toBe(20);
    expect(lines).toEqual([]);
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

  it("are replaced by a share of each quota while they do not answer, and are told afterwards", async () => {
    const [user, other] = [someone(), someone()];
    const [one, two] = [limiter(), limiter()];
    await takeMany(one, user, 3);
    await takeAway();
    try {
      // What this process admitted before counts for its share.
      expect(admittedOf(await takeMany(one, user, 30))).toBe(SHARE - 3);
      expect(admittedOf(await takeMany(one, other, 30))).toBe(SHARE);
      expect(admittedOf(await takeMany(two, user, 30))).toBe(SHARE);
      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain("admits its share of each quota");
    } finally {
      await giveBack();
    }
    await untilBack(one);
    await until("the other has been found by the second, too", async () => {
      await two.countRequest(someone());
      return lines.filter((line) => line.includes("answer again")).length === 2;
    });
    const standing = async (user: User) =>
      (await limiter().countRequest(user)).standings.map(({ remaining }) => remaining);
    await until("both have told", async () => {
      const [row] = await test.database.read<{ count: number }>(
        "select sum(cardinality(stamps))::int as count from rate_windows where user_id = any($1::uuid[])",
        [[user.userId, other.userId]],
      );
      return row?.count === 3 + 2 + 5 + 5;
    });
    expect(await standing(user)).toEqual([50 - 11, 20 - 11]);
    expect(await standing(other)).toEqual([50 - 6, 20 - 6]);
  });

  it("are not waited for when they take too long", async () => {
    const user = someone();
    const one = limiter();
    await one.countRequest(user);
    const trx = await test.database.knex.transaction();
    try {
      await trx.raw("lock table rate_windows");
      const begun = performance.now();
      expect(admittedOf(await takeMany(one, user, 30))).toBe(SHARE - 1);
      expect(performance.now() - begun).toBeLessThan(2500);
      expect(lines).toHaveLength(1);
    } finally {
      await trx.rollback();
    }
    await untilBack(one);
  });

  it("are told at a stop what they still lack", async () => {
    const user = someone();
    const one = limiter();
    await takeAway();
    await one.countRequest(user);
    await giveBack();
    await one.close();
    expect((await limiter().countRequest(user)).standings.map(({ remaining }) => remaining)).toEqual([48, 18]);
  });
});
