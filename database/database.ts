import type { Knex } from "knex";
import { answersWithin } from "../base/loop/answers-within.ts";
import { NIL_UUID } from "../base/values/ids.ts";
import { createCheck } from "./check.ts";
import { watchCommits } from "./commits.ts";
import { readerConnection, WAITS, type Waits } from "./connection.ts";
import { showConnections } from "./connection-gauges.ts";
import { hasCitus } from "./has-citus.ts";
import type { Opening } from "./open-client.ts";
import { type OwnSession, openOwnSession, type SessionEvents } from "./own-session.ts";
import { openPool, type Pool } from "./pool.ts";
import type { RowForm } from "./query.ts";
import { openReader, type Reader } from "./reader.ts";
import { type SessionSettings, WITHOUT_STANDBY } from "./session.ts";
import { formOptions, PLAN_EACH, PLAN_ONCE, sendNamed } from "./statement.ts";
import { type Transaction, type TransactionOptions, transaction } from "./transaction.ts";

export { isUnavailable, violatedConstraint } from "./errors.ts";
export type { Transaction } from "./transaction.ts";

const POOL_MAX = 12;
/** Number of connections that each pool has beyond those for requests, for background work. */
const BACKGROUND = 1;
/** Name of the reader without a lane in the metrics. */
const SHARED = "shared";

/** The connections of a process to PostgreSQL, divided by what runs on them. docs/decisions/0006-processes.md */
export interface Database {
  /** The pool of transactions. */
  knex: Knex;
  /** Whether its rows are spread over several machines. docs/guides/citus.md */
  isCitus: boolean;
  /** Maximum number of connections of transactions and `queryPlanned` together. */
  poolMax: number;
  /** Part of them for `queryPlanned`. */
  aloneMax: number;
  /**
   * Runs one short autocommit statement ($1 placeholders), named and prepared, on a pipelined connection.
   * It may write, but a durable write belongs on the pool: commits on one connection cannot be grouped, and do not wait
   * for a synchronous standby.
   */
  read<Row>(sql: string, values?: readonly unknown[], form?: RowForm): Promise<Row[]>;
  /**
   * Reads on another pipelined connection, of which there is one for each name. A statement waits for those before it
   * on its connection, so keys, rate limits and each kind of record have connections of their own and do not wait for
   * each other.
   */
  sharedConnection(name: string): Pick<Database, "read">;
  /**
   * Opens a connection of its own, for locks that belong to its session. It is not opened again when it is lost. The
   * caller ends it.
   */
  openSession(name: string, settings: SessionSettings, events: SessionEvents): Promise<OwnSession>;
  /**
   * Runs one autocommit statement alone on a connection, of a pool for such statements, and planned for its very
   * values. It is for filters, whose best plan depends on the values, and for other statements that would hold up those
   * of `read`.
   */
  queryPlanned<Row>(sql: string, values?: readonly unknown[], form?: RowForm): Promise<Row[]>;
  /**
   * Runs work in one transaction and commits it. The work runs again, at most three times, after a serialization
   * failure, a deadlock or a code of `retryOn`, so it must have no effect outside the transaction.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Rejects, within `checkMs`, when the reader, a lane that was used before or one of the pools does not answer. One
   * that is at work counts as answering until it has taken longer than any statement may. Calls at the same time share
   * the answer.
   */
  check(): Promise<void>;
  /**
   * Opens all connections of the pools, if the database is one of Citus, and has each read the list of shards and
   * connect to a worker. That takes a tenth of a second, which a burst of first requests would have to wait for.
   */
  warmUp(): Promise<void>;
  /** Milliseconds since any of the connections has had an answer. */
  sinceAnswer(): number;
  close(): Promise<void>;
}

/** A reader of which it can be asked whether it answers. */
interface Lane extends Reader {
  check(): Promise<void>;
}

/**
 * Statements that are on their way end in time, or their connection is replaced, so a lane that has some is at work.
 * @param hasLongStatements whether an answer may have to wait for them; a lane without is asked in any case
 */
function openLane(config: Opening, waits: Waits, hasLongStatements: boolean): Lane {
  const reader = openReader(config, waits);
  const check = createCheck(
    () => reader.read("select 1"),
    () => hasLongStatements && reader.unanswered() > 0,
  );
  return { ...reader, check };
}

const ASK_A_WORKER = `select 1 from workspaces where id = '${NIL_UUID}'`;

/** Looks whether the database answers, and what it is; closes it when it does not. */
async function opened(database: Omit<Database, "isCitus" | "warmUp">, pools: readonly Pool[]): Promise<Database> {
  try {
    const isCitus = await hasCitus(database.read);
    await Promise.all(pools.map((pool) => pool.warmUp()));
    const warmUp = async () => {
      if (isCitus) await Promise.all(pools.map((pool) => pool.fill(ASK_A_WORKER)));
    };
    return { ...database, isCitus, warmUp };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the pools and the pipelined reader; rejects when the database does not answer. */
export async function openDatabase(
  url: string,
  options: { poolMax?: number; applicationName?: string; waits?: Waits } = {},
): Promise<Database> {
  const { applicationName = "contact-workspace", poolMax = POOL_MAX, waits = WAITS } = options;
  const aloneMax = Math.max(1, Math.floor(poolMax / 4));
  const transactionsMax = poolMax - aloneMax + BACKGROUND;
  const reader = openLane(readerConnection(url, applicationName, waits), waits, false);
  const commits = watchCommits(reader.read, waits);
  const pool = openPool(url, {
    applicationName,
    areHeldUp: commits.areHeldUp,
    max: transactionsMax,
    kept: Math.min(2, transactionsMax),
    session: PLAN_ONCE,
    waits,
  });
  const alone = openPool(url, {
    applicationName: `${applicationName} filters`,
    max: aloneMax + BACKGROUND,
    kept: 1,
    session: { ...PLAN_EACH, ...WITHOUT_STANDBY },
    waits,
  });
  const lanes = new Map<string, Lane>([[SHARED, reader]]);
  const hideConnections = showConnections({ transactions: pool.knex, filters: alone.knex }, lanes);
  let checking: Promise<void> | undefined;

  function lane(name: string): Lane {
    let found = lanes.get(name);
    if (!found) {
      found = openLane(readerConnection(url, `${applicationName} ${name}`, waits), waits, true);
      lanes.set(name, found);
    }
    return found;
  }

  async function checkAll(): Promise<void> {
    const readers = [...lanes.values()].map((one) => one.check());
    const answers = Promise.all([...readers, pool.check(), alone.check()]);
    if (!(await answersWithin(waits.checkMs, answers)))
      throw new Error("timeout expired: some connections to the database do not answer");
  }

  const database: Omit<Database, "isCitus" | "warmUp"> = {
    knex: pool.knex,
    poolMax,
    aloneMax,
    read: reader.read,
    sharedConnection: lane,
    openSession: (name, settings, events) => {
      const config = readerConnection(url, `${applicationName} ${name}`, waits);
      return openOwnSession({ ...config, session: { ...config.session, ...settings } }, waits, events);
    },
    queryPlanned: alone.run,
    transaction: (work, transactionOptions) =>
      transaction({ knex: pool.knex, waitMs: waits.poolWaitMs, commits }, work, transactionOptions),
    async check() {
      checking ??= checkAll().finally(() => {
        checking = undefined;
      });
      await checking;
    },
    sinceAnswer: () => Math.min(...[pool, alone, ...lanes.values()].map((one) => one.sinceAnswer())),
    close: async () => {
      hideConnections();
      commits.close();
      const closed = [...lanes.values()].map((one) => one.close());
      await Promise.all([...closed, pool.knex.destroy(), alone.knex.destroy()]);
    },
  };
  return opened(database, [pool, alone]);
}

/** Runs a $1-style statement inside a transaction as a named prepared statement. */
export async function run<Row>(
  trx: Transaction,
  sql: string,
  values: readonly unknown[] = [],
  form?: RowForm,
): Promise<Row[]> {
  // If the name cannot be used, the whole transaction fails. `transaction` then runs the work again, with the new name.
  const send = (name: string) => trx.send({ name, text: sql, values, ...formOptions(form) });
  return (await sendNamed(sql, send)).rows as Row[];
}
