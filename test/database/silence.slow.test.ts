import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { poolConnection, readerConnection, WAITS } from "../../database/connection.ts";
import { type Database, isUnavailable, openDatabase, run, type Transaction } from "../../database/database.ts";
import { errorCode } from "../../database/errors.ts";
import { countsOf } from "../../database/knex-connections.ts";
import { type NetworkProxy, openProxy } from "../../lab/harness/network-proxy.ts";
import { until } from "../../lab/harness/until.ts";
import { PATIENT, type TestDatabase, testDatabase } from "../support/database.ts";

/**
 * As in production, and shorter, but for the time that a loaded machine may need to open a connection. A statement has
 * as long as such a machine may stand still.
 */
const SHORT = {
  ...WAITS,
  poolWaitMs: 12_000,
  poolStatementMs: 2000,
  readerStatementMs: 2000,
  silenceMs: 500,
  trustMs: 100,
  probeMs: 500,
  goodbyeMs: 500,
  checkMs: 15_000,
};
/** What a loaded machine may add. */
const LATE_MS = 10_000;
/** Attempts that work on a loaded machine may take. */
const ATTEMPTS = 3;

describe("When the connections that there are fall silent, and new ones work", () => {
  let test: TestDatabase;
  let proxy: NetworkProxy;
  let database: Database;

  beforeAll(async () => {
    test = await testDatabase();
    await test.database.knex.raw("create table slips (id int primary key)");
    proxy = await openProxy(test.url);
    database = await openDatabase(proxy.url, { waits: SHORT });
  });

  afterAll(async () => {
    await database?.close();
    await proxy?.stop();
    await test?.drop();
  });

  afterEach(async () => {
    await proxy.restore();
    await until("all is well", () => everything());
  });

  const add = (trx: Transaction, id: number) => run(trx, "insert into slips values ($1)", [id]);
  const everything = () =>
    Promise.all([
      database.read("select 1"),
      database.sharedConnection("slips").read("select 1"),
      database.queryPlanned("select 1"),
      database.transaction((trx) => run(trx, "select 1")),
      database.check(),
    ]);
  const slips = async () =>
    (await test.database.read<{ id: number }>("select id from slips order by id")).map(({ id }) => id);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: unknown) => error,
    );
  /** A machine that stands still may cost one attempt or two. A pool of silent connections would cost all of them. */
  async function works(attempt: () => Promise<unknown>): Promise<void> {
    const failures: unknown[] = [];
    while (failures.length < ATTEMPTS) {
      const outcome = await failure(attempt());
      if (outcome === "done") return;
      failures.push(outcome);
    }
    throw new AggregateError(failures, `Failed ${ATTEMPTS} times`);
  }
  /** Silences the open connections. One that is silenced while it opens would time out later, in the middle of a test. */
  async function freeze(): Promise<void> {
    await until("none is being opened", () => countsOf(database.knex).numPendingCreates() === 0);
    proxy.freeze();
  }
  const afterTrust = () => until("nobody has answered lately", () => performance.now() > begun + SHORT.trustMs + 20);
  let begun = 0;

  async function timed(work: Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work;
    return performance.now() - start;
  }

  it("whatever was idle finds that out before it begins, and takes a new one", async () => {
    await until("many are open", () =>
      Promise.all([
        ...Array.from({ length: 9 }, () => database.transaction((trx) => run(trx, "select pg_sleep(0.1)"))),
        ...Array.from({ length: 3 }, () => database.queryPlanned("select pg_sleep(0.1)")),
        database.read("select 1"),
        database.sharedConnection("slips").read("select 1"),
      ]),
    );
    begun = performance.now();
    await afterTrust();
    await freeze();
    const ms = await timed(
      Promise.all([
        database.transaction((trx) => add(trx, 1)),
        database.queryPlanned("select 1"),
        // Those who come together wait for one answer. One after another they would be far too late.
        ...Array.from({ length: 60 }, () => database.read("select 1")),
        ...Array.from({ length: 60 }, () => database.sharedConnection("slips").read("select 1")),
        database.check(),
      ]),
    );
    expect(ms).toBeLessThan(SHORT.probeMs + LATE_MS);
    expect(await slips()).toEqual([1]);
  });

  const CUTS: [where: string, work: (trx: Transaction) => Promise<unknown>][] = [
    [
      "in a statement",
      async (trx) => {
        await trx.opened;
        await freeze();
        return add(trx, 2);
      },
    ],
    [
      "in COMMIT",
      async (trx) => {
        await add(trx, 2);
        await freeze();
      },
    ],
    [
      "in a statement behind which COMMIT is sent",
      async (trx) => {
        await trx.opened;
        await freeze();
        trx.last(add(trx, 2));
      },
    ],
  ];

  it.each(CUTS)("a write that is cut off %s is told so in time, and the next ones work", async (_, work) => {
    const others = Array.from({ length: 5 }, () =>
      failure(database.transaction((trx) => run(trx, "select pg_sleep(0.2)"))),
    );
    const begun = performance.now();
    expect(isUnavailable(await failure(database.transaction(work)))).toBe(true);
    expect(performance.now() - begun).toBeLessThan(SHORT.poolStatementMs + SHORT.silenceMs + LATE_MS);
    await works(() => database.transaction((trx) => run(trx, "select 1")));
    await Promise.all(others);
    expect(await slips()).toEqual([1]);
  });

  it("a write that fails by itself tells why, though ROLLBACK is never answered", async () => {
    const work = database.transaction(async (trx) => {
      await add(trx, 3);
      await freeze();
      throw new Error("not like this");
    });
    expect(await failure(work)).toMatchObject({ message: "not like this" });
    await works(() => database.transaction((trx) => run(trx, "select 1")));
    expect(await slips()).toEqual([1]);
  });

  describe("and all of them have just been used", () => {
    let trusting: Database;

    beforeAll(async () => {
      // However slow the machine is, none of them is asked before it is used.
      trusting = await openDatabase(proxy.url, { waits: { ...SHORT, trustMs: 60_000 } });
    });

    afterAll(() => trusting?.close());

    it("filters, reads and lanes are told so in time, and the next ones work", async () => {
      const attempts = [
        () => trusting.read("select 1"),
        () => trusting.sharedConnection("slips").read("select 1"),
        () => trusting.queryPlanned("select 1"),
      ];
      await Promise.all(attempts.map(works));
      proxy.freeze();
      const failures = await Promise.all(attempts.map((attempt) => failure(attempt())));
      expect(failures.map(isUnavailable)).toEqual([true, true, true]);
      await Promise.all(attempts.map(works));
    });

    it.each(["the reader", "a lane"])(
      "a check fails while %s alone is silent, and the next one does not",
      async (which) => {
        const readers = { "the reader": trusting, "a lane": trusting.sharedConnection("slips") };
        const others = [
          () => trusting.transaction((trx) => run(trx, "select 1")),
          () => trusting.queryPlanned("select 1"),
          ...Object.entries(readers).flatMap(([name, one]) => (name === which ? [] : [() => one.read("select 1")])),
        ];
        await Promise.all([trusting.check(), trusting.sharedConnection("slips").read("select 1")]);
        proxy.freeze();
        for (const other of others) await until("it is whole", () => other().then(() => true));
        expect(isUnavailable(await failure(trusting.check()))).toBe(true);
        await until("the check succeeds", () => trusting.check().then(() => true));
      },
    );
  });

  it("a check does not wait for what a lane is at", async () => {
    // The limit of a statement is far above the time of a check on a slow machine, so the lane is not cut off.
    const patient = await openDatabase(proxy.url, { waits: { ...SHORT, readerStatementMs: 60_000 } });
    try {
      const lane = patient.sharedConnection("slips");
      await lane.read("select 1");
      let isAnswered = false;
      const slow = await test.database.transaction(async (holder) => {
        await run(holder, "lock table slips");
        const counting = lane.read("select count(*) from slips").finally(() => {
          isAnswered = true;
        });
        await patient.check();
        expect(isAnswered).toBe(false);
        return { counting };
      });
      await slow.counting;
    } finally {
      await patient.close();
    }
  });

  it("a check succeeds while all connections are in use, as long as any of them answers, and waits for none", async () => {
    const holders = database.poolMax - database.aloneMax;
    let held = 0;
    let isOver = false;
    const working = Array.from({ length: holders }, () =>
      database.transaction(async (trx) => {
        held += 1;
        while (!isOver) await run(trx, "select pg_sleep(0.05)");
      }),
    );
    try {
      await until("all are in use", () => held === holders);
      const { poolWaitMs } = SHORT;
      expect(await timed(database.check())).toBeLessThan(poolWaitMs);
    } finally {
      isOver = true;
      await Promise.all(working);
    }
  });

  it("the end of a process does not wait for them", async () => {
    const other = await openDatabase(proxy.url, { waits: SHORT });
    await other.sharedConnection("slips").read("select 1");
    proxy.freeze();
    expect(await timed(other.close())).toBeLessThan(SHORT.goodbyeMs + LATE_MS);
  });
});

it("A write that waits too long for a row of another one is told so, and its connection serves others", async () => {
  const test = await testDatabase();
  const impatient = await openDatabase(test.url, { poolMax: 4, waits: { ...PATIENT, lockWaitMs: 100 } });
  try {
    await test.database.knex.raw("create table slips as select 1 as id");
    const lock = (trx: Transaction) => run(trx, "select from slips for update");
    await test.database.transaction(async (holder) => {
      await lock(holder);
      const waiting = await impatient.transaction(lock).catch((error: unknown) => error);
      expect([errorCode(waiting), isUnavailable(waiting)]).toEqual(["55P03", true]);
      expect(await impatient.transaction((trx) => run(trx, "select 1 as n"))).toEqual([{ n: 1 }]);
    });
  } finally {
    await impatient.close();
    await test.drop();
  }
});

it("A connection of a server that fell silent is given up within twelve seconds, after the longest statement", () => {
  const url = "postgresql://somewhere/database";
  const { poolWaitMs, trustMs, probeMs, poolStatementMs } = WAITS;
  const pool = poolConnection(url, "test");
  const reader = readerConnection(url, "test");
  // PostgreSQL looks for a deadlock after a second, and says so; who has met one is run again.
  expect(pool).toMatchObject({ session: { lock_timeout: 3000, statement_timeout: poolStatementMs } });
  expect(pool).toMatchObject({ query_timeout: 9500, pipeline: true });
  expect(reader).toMatchObject({ session: { statement_timeout: 2000 }, pipeline: true });
  // A reader has no timer for each statement, but looks after its connection (database/pipeline.ts).
  expect(reader).not.toHaveProperty("query_timeout");
  expect(WAITS.readerStatementMs + WAITS.silenceMs).toBe(3500);
  expect(trustMs + 9500).toBeLessThan(12_000);
  expect([poolWaitMs, probeMs]).toEqual([1000, 500]);
});
