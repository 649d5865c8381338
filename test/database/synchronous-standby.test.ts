import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { WAITS } from "../../database/connection.ts";
import { type Database, isUnavailable, openDatabase, run } from "../../database/database.ts";
import { errorCode } from "../../database/errors.ts";
import { SQLSTATE } from "../../database/sqlstates.ts";
import { type ReplicaPair, startReplicaPair } from "../../lab/harness/replica-pair.ts";
import { until } from "../../lab/harness/until.ts";

/** A commit is waited for longer than a statement may take. */
const SHORT = { ...WAITS, poolStatementMs: 500, silenceMs: 500, standbyMs: 1_500 };
const POOL_MAX = 8;

// docs/guides/high-availability.md#while-the-standby-hangs
describe("While a synchronous standby hangs", () => {
  jest.setTimeout(240_000);
  let pair: ReplicaPair;
  let database: Database;

  beforeAll(async () => {
    pair = await startReplicaPair();
    database = await openDatabase(pair.url([pair.primary]), { waits: SHORT, poolMax: POOL_MAX });
    await database.knex.raw("create table slips (id int primary key)");
    await pair.setSynchronous(true);
  });
  beforeEach(() => pair.standby.pause());
  afterEach(async () => {
    pair.standby.resume();
    await until("writes work again", () => add(0).then(() => remove(0)));
  });
  afterAll(async () => {
    await database?.close();
    await pair?.stop();
  });

  const add = (id: number, on = database) =>
    on.transaction((trx) => run(trx, "insert into slips values ($1)", [id])).then(() => true);
  const remove = (id: number) => database.transaction((trx) => run(trx, "delete from slips where id = $1", [id]));
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: unknown) => error,
    );
  const isThere = async (id: number) => (await database.read("select from slips where id = $1", [id])).length > 0;
  const waiting = () => pair.primary.run("select pid from pg_stat_activity where wait_event = 'SyncRep'");
  const cancelled = async () => {
    const [{ pid } = { pid: 0 }] = await until("a commit waits", async () => {
      const pids = await waiting();
      return pids.length > 0 && pids;
    });
    await pair.primary.run(`select pg_cancel_backend(${pid})`);
  };

  it("a write is 503 in time, and nobody sees it before the standby has it", async () => {
    const failure = await failureOf(add(1));
    expect(failure).toMatchObject({ code: SQLSTATE.completionUnknown });
    expect(isUnavailable(failure)).toBe(true);
    expect(await waiting()).toHaveLength(1);
    expect(await isThere(1)).toBe(false);
    pair.standby.resume();
    await until("the write is there after all", () => isThere(1));
  });

  it.each([
    ["in a transaction", (id: number) => add(id)],
    [
      "in a statement by itself",
      (id: number) => Promise.resolve(database.knex.raw(`insert into slips values (${id})`)),
    ],
  ])("a commit %s whose wait is cancelled is no success, though PostgreSQL says so", async (_, write) => {
    const id = 2 + Math.floor(Math.random() * 1e6);
    const [failure] = await Promise.all([failureOf(write(id)), cancelled()]);
    expect(errorCode(failure)).toBe(SQLSTATE.completionUnknown);
    expect(isUnavailable(failure)).toBe(true);
    expect(await isThere(id)).toBe(true);
  });

  it("reads go on, and so does what may be lost; further writes are refused before they begin", async () => {
    const failures = await Promise.all(Array.from({ length: 4 }, (_, i) => failureOf(add(100 + i))));
    expect(failures.map(errorCode)).toEqual(failures.map(() => SQLSTATE.completionUnknown));
    await Promise.all([
      database.read("select 1"),
      database.sharedConnection("lane").read("insert into slips values (110)"),
      database.queryPlanned("insert into slips values (111)"),
      database.queryPlanned("select 1"),
      database.check(),
    ]);
    for (let i = 0; i < 20; i += 1) {
      const failure = await failureOf(add(120 + i));
      expect(failure).toMatchObject({ message: expect.stringContaining("no write is begun") });
      expect(isUnavailable(failure)).toBe(true);
    }
    expect(await waiting()).toHaveLength(4);
    pair.standby.resume();
    await until("a write works", () => add(150));
    expect(await isThere(103)).toBe(true);
    expect(await isThere(120)).toBe(false);
  });

  it("the database still closes", async () => {
    const other = await openDatabase(pair.url([pair.primary]), { waits: SHORT, poolMax: 4 });
    await failureOf(add(200, other));
    await other.close();
  });
});
