import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Decision, Policy } from "../../../base/contract/rate-windows.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { isAway } from "../../../bus/away.ts";
import type { Database } from "../../../database/database.ts";
import { until } from "../../../lab/harness/until.ts";
import type { Limiter, User } from "../../../services/ratelimit/limiter.ts";
import { memoryLimiter } from "../../../services/ratelimit/memory-limiter.ts";
import { sharedLimiter } from "../../../services/ratelimit/shared-limiter.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { OWN_LOCKS } from "../../support/own-locks.ts";

const POLICIES: Policy[] = [
  { name: "default", quota: 50, windowS: 3600 },
  { name: "burst", quota: 20, windowS: 600 },
];
/** Number of requests that a process may admit before it writes: half of the smallest quota. */
const AHEAD = 10;

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

/** The processes of an installation, which ask each other by their names. */
class Processes {
  readonly limiters = new Map<string, Limiter>();
  /** Those that do not answer others. */
  readonly unreachable = new Set<string>();
  /** Called when a process has sent a statement that writes logs of users. */
  onWrite: (nodeID: string) => void = () => undefined;

  async start(nodeID: string): Promise<Limiter> {
    const limiter = sharedLimiter({
      database: { openSession: (...session) => this.openSession(nodeID, session) },
      policies: POLICIES,
      nodeID,
      askNode: async (other, user, count) => {
        const found = this.unreachable.has(other) ? undefined : this.limiters.get(other);
        if (!found) throw new Error(`${other} is away`);
        return found.countHeld(user, count);
      },
    });
    await limiter.open();
    this.limiters.set(nodeID, limiter);
    return limiter;
  }

  private async openSession(nodeID: string, session: Parameters<Database["openSession"]>) {
    const opened = await test.database.openSession(...session);
    const query: typeof opened.query = (sql, values = []) => {
      const answer = opened.query<never>(sql, values);
      const [, written] = values;
      if (Array.isArray(written) && written.length > 0) queueMicrotask(() => this.onWrite(nodeID));
      return answer;
    };
    return { ...opened, query };
  }

  /** Ends the session of a process, as PostgreSQL does when the process has died. The process may be gone. */
  async endSession(nodeID: string): Promise<void> {
    await test.database.read(
      `select pg_terminate_backend(pid) from ${OWN_LOCKS}, rate_windows
       where locktype = 'advisory' and objsubid = 1 and holder like $1
         and ((classid::bigint << 32) | objid::bigint) = hashtextextended(holder, 7205759404)`,
      [`${nodeID}/%`],
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.limiters.values()].map((one) => one.close().catch(() => undefined)));
  }
}

describe("the rate windows that processes share", () => {
  let processes: Processes;
  const start = async (...names: string[]) => {
    processes = new Processes();
    return Promise.all(names.map((name) => processes.start(name)));
  };

  afterEach(() => processes.stop());

  it("admit a quota once, whoever is asked", async () => {
    const user = someone();
    const all = await start("a", "b", "c", "d");
    const decisions = (await Promise.all(all.map((one) => takeMany(one, user, 30)))).flat();
    expect(admittedOf(decisions)).toBe(20);
    for (const { exceeded, retryAfterMs } of decisions) if (exceeded) expect(retryAfterMs).toBeGreaterThan(590_000);
  });

  it("tell each request what remains, whoever is asked", async () => {
    const user = someone();
    const all = await start("a", "b", "c");
    const remaining: number[] = [];
    for (let round = 0; round < 7; round++)
      for (const one of all) {
        const { standings } = await one.countRequest(user);
        remaining.push(standings[1]?.remaining ?? 0);
      }
    expect(remaining).toEqual([...Array.from({ length: 20 }, (_, i) => 19 - i), 0]);
  });

  it("are exact when their holder has stopped in an orderly way", async () => {
    const user = someone();
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    expect(admittedOf(await takeMany(a, user, 7))).toBe(7);
    expect(admittedOf(await takeMany(b, user, 6))).toBe(6);
    await a.close();
    processes.limiters.delete("a");
    expect(admittedOf(await takeMany(b, user, 20))).toBe(7);
    expect((await b.countRequest(user)).standings.map(({ remaining }) => remaining)).toEqual([30, 0]);
  });

  it("are exact when their holder begins to stop while it writes", async () => {
    const user = someone();
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    const stopped = Promise.withResolvers<void>();
    processes.onWrite = () => {
      processes.onWrite = () => undefined;
      processes.limiters.delete("a");
      a.close().then(stopped.resolve, stopped.reject);
    };
    for (let i = 0; i < 4; i++) await a.countRequest(user);
    await stopped.promise;
    expect(admittedOf(await takeMany(b, user, 30))).toBe(16);
  });

  it("admit never more, and a few less, when their holder has died", async () => {
    const user = someone();
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    for (let i = 0; i < 8; i++) await a.countRequest(user);
    processes.unreachable.add("a");
    await processes.endSession("a");
    const admitted = admittedOf(await takeMany(b, user, 30));
    expect(admitted).toBeLessThanOrEqual(12);
    expect(admitted).toBeGreaterThanOrEqual(12 - AHEAD);
  });

  it("are decided by nobody who has lost the session, even when the process lives on", async () => {
    const user = someone();
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    for (let i = 0; i < 8; i++) await a.countRequest(user);
    await processes.endSession("a");
    const decisions = await Promise.allSettled([...Array(30)].map(async (_, i) => (i % 2 ? a : b).countRequest(user)));
    const admitted = decisions.filter((one) => one.status === "fulfilled" && one.value.exceeded === null).length;
    expect(admitted).toBeLessThanOrEqual(12);
    const [{ standings }] = (await takeMany(a, user, 1)) as [Decision];
    expect(standings[1]?.remaining).toBe(0);
  });

  it("are exact, but for one process's allowance, while a process of the release before counts in the table", async () => {
    const user = someone();
    const [a] = (await start("a")) as [Limiter];
    let admitted = 0;
    for (let i = 0; i < 30; i++) {
      admitted += admittedOf(await takeMany(a, user, 1));
      const [row] = await test.database.read<{ decision: string }>(
        "select take_from_rate_windows($1, $2, '{50,20}', '{3600000000,600000000}', 1, '{}', true) as decision",
        [user.workspaceId, user.userId],
      );
      if (row?.decision.startsWith("0,")) admitted += 1;
    }
    expect(admitted).toBeLessThanOrEqual(20);
    expect(admitted).toBeGreaterThanOrEqual(20 - AHEAD);
  });

  it("move to another process when the bus between the two is away", async () => {
    const user = someone();
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    expect(admittedOf(await takeMany(a, user, 7))).toBe(7);
    processes.unreachable.add("a").add("b");
    expect(admittedOf(await takeMany(b, user, 5))).toBe(5);
    expect(admittedOf(await takeMany(a, user, 5))).toBe(5);
    expect(admittedOf([...(await takeMany(b, user, 5)), ...(await takeMany(a, user, 5))])).toBe(3);
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

  it("wait for a user whose row is locked, and decide for all others meanwhile", async () => {
    const [user, other] = [someone(), someone()];
    const [a, b] = (await start("a", "b")) as [Limiter, Limiter];
    await a.countRequest(user);
    await a.close();
    const trx = await test.database.knex.transaction();
    await trx.raw("select 1 from rate_windows where user_id = ? for update", [user.userId]);
    const mine = outcomes(b, user, 30);
    expect(await outcomes(b, other, 30)).toEqual([...all(20, "admitted"), ...all(10, "burst")]);
    await trx.rollback();
    expect(await mine).toEqual([...all(19, "admitted"), ...all(11, "burst")]);
  });

  it("fail for everybody while the table is locked, and admit nobody beyond the quota", async () => {
    const user = someone();
    const [a] = (await start("a")) as [Limiter];
    await a.countRequest(user);
    const trx = await test.database.knex.transaction();
    try {
      await trx.raw("lock table rate_windows");
      const found = await outcomes(a, user, 30);
      expect(found.filter((one) => one === "admitted").length).toBeLessThanOrEqual(AHEAD);
      expect(found.filter((one) => one === "away").length).toBeGreaterThanOrEqual(30 - AHEAD);
      expect(await outcomes(a, someone(), 1)).toEqual(["away"]);
    } finally {
      await trx.rollback();
    }
    await until("the row is written again", async () => (await outcomes(a, user, 1))[0] !== "away");
    const rest = await outcomes(a, user, 30);
    expect(rest.filter((one) => one === "admitted").length).toBeLessThanOrEqual(19);
  });
});
