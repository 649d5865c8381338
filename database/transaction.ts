import { setTimeout as pause } from "node:timers/promises";
import type { Knex } from "knex";
import { type Commits, NO_TIMEOUT_MS, UnconfirmedCommit } from "./commits.ts";
import { type Answer, type PoolConnection, query, type Statement } from "./connection.ts";
import { errorCode, HELD_UP, isUnavailable } from "./errors.ts";
import { corkUntilNextTurn, sendGathered } from "./gather.ts";
import { acquire, discard, release } from "./knex-connections.ts";
import { SQLSTATE } from "./sqlstates.ts";
import { isStaleStatement, sendNamed } from "./statement.ts";

const RETRIES_MAX = 3;
const RETRY_PAUSE_MS_MAX = 40;

type Opening = NonNullable<TransactionOptions["opening"]>;

/** Failures of a transaction that has met another one, and may well succeed when it runs again. */
const MET_ANOTHER: readonly string[] = [SQLSTATE.serializationFailure, SQLSTATE.deadlockDetected];

export interface TransactionOptions {
  /** Further SQLSTATEs after which the work may run again from its beginning. */
  retryOn?: readonly string[];
  /** Statements that are sent behind BEGIN; their rows are in `Transaction.opened`. */
  opening?: readonly { text: string; values: readonly unknown[] }[];
}

/** A transaction at work, on the connection of the pool that it holds. */
export interface Transaction {
  /**
   * The rows of each statement of `opening`, in their order. Work that does not wait for them sends its first statement
   * together with these.
   */
  opened: Promise<readonly unknown[][]>;
  /** Runs text without values, also several statements. */
  raw(sql: string): Promise<unknown>;
  send(statement: Statement): Promise<Answer>;
  /**
   * Undoes everything so far and begins again with statements like those of `opening`. Returns their rows, in one round
   * trip.
   */
  restart(statements: readonly string[]): Promise<unknown[][]>;
  /**
   * Takes one of the last statements, which was sent and need not be waited for: COMMIT follows at once, and fails with
   * its error.
   */
  last(statement: Promise<unknown>): void;
}

/** Pool of connections for transactions, their longest wait for one, and the watch over their commits. */
interface TransactionPool {
  knex: Knex;
  waitMs: number;
  commits: Commits;
}

/** Thrown by work that has assumed what is no longer so: it runs again from its beginning. */
export class RunAgain extends Error {}

/** A transaction that did not begin, because its connection was lost before. Nothing was done. */
class NotBegun extends Error {}

/**
 * Runs work in one transaction and commits it, again after errors that another try may not meet
 * (`Database.transaction`).
 */
export async function transaction<T>(
  pool: TransactionPool,
  work: (trx: Transaction) => Promise<T>,
  { retryOn = [], opening = [] }: TransactionOptions = {},
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await begun(pool, () => attempt(pool, work, opening));
    } catch (error) {
      if (retries === RETRIES_MAX || !isWorthRetrying(error, retryOn)) throw error;
      // Two that met in a deadlock must not meet again.
      await pause(Math.random() * RETRY_PAUSE_MS_MAX);
    }
  }
}

/**
 * Tries a transaction until it has begun. A connection that died while it was idle may show it only now, so another one
 * is taken in its place.
 */
async function begun<T>({ waitMs }: TransactionPool, attemptOnce: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!(error instanceof NotBegun)) throw error;
      if (Date.now() > deadline) throw error.cause;
    }
  }
}

/**
 * Statements go straight to pg: a transaction of seven of them costs 450 us of CPU, against 900 through Knex, which
 * makes a client of its own for every transaction and reads every text anew.
 */
async function attempt<T>(pool: TransactionPool, work: (trx: Transaction) => Promise<T>, opening: Opening): Promise<T> {
  if (pool.commits.areHeldUp()) throw new Error(`${HELD_UP}, so no write is begun`);
  const connection = await acquire(pool.knex);
  const opened = begin(connection, opening);
  let over = false;
  let ended: Promise<unknown> = Promise.resolve();
  let isHeldUp = false;
  let failure: unknown;
  const send = async (statement: Statement): Promise<Answer> => {
    if (over) throw new Error("The transaction is over already");
    try {
      return await gathered(connection, statement);
    } catch (error) {
      // If statements were sent together, those behind a failed one fail as well. Only the reason of the first counts.
      if (failure === undefined || errorCode(error) !== SQLSTATE.inFailedTransaction) failure = error;
      throw failure;
    }
  };
  try {
    const last: Promise<unknown>[] = [];
    const result = await work({
      opened,
      send,
      raw: (text) => send({ text }),
      restart: async (statements) => {
        const text = ["ROLLBACK", "BEGIN", ...statements].join("; ");
        failure = undefined;
        const [, , ...answers] = [await send({ text })].flat();
        return answers.map(({ rows }) => rows);
      },
      last: (statement) => {
        // The first one that fails tells why; the others are not waited for then.
        statement.catch(() => undefined);
        last.push(statement);
      },
    });
    // A transaction whose connection is lost before this has done nothing, and may run again.
    await opened;
    const answer = send({ text: "COMMIT", query_timeout: NO_TIMEOUT_MS });
    const committed = pool.commits.watch(connection, answer);
    // If one of the last statements has failed, COMMIT fails too; the error of the statement has the reason.
    committed.catch(() => undefined);
    ended = answer.catch(() => undefined);
    await Promise.all(last);
    await committed;
    return result;
  } catch (error) {
    // The commit goes on, so nothing can be undone, and the connection stays in use.
    isHeldUp = error instanceof UnconfirmedCommit;
    if (isHeldUp) throw error;
    const lost = await opened.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (lost !== null) {
      discard(connection, lost);
      throw isUnavailable(lost) ? new NotBegun("The connection was lost", { cause: lost }) : lost;
    }
    // A connection that may still be inside the transaction must not serve another.
    await send({ text: "ROLLBACK" }).catch((failure: unknown) => {
      discard(connection, failure);
    });
    throw error;
  } finally {
    over = true;
    const released = ended.then(() => release(pool.knex, connection));
    if (!isHeldUp) await released;
  }
}

/**
 * Sends BEGIN and the statements of the opening, and gives their rows. They are prepared like all statements, and go
 * out together with what is sent in this turn of the event loop.
 */
function begin(connection: PoolConnection, opening: Opening): Promise<unknown[][]> {
  const first = gathered(connection, { text: "BEGIN" });
  const statements = opening.map(({ text, values }) =>
    sendNamed(text, (name) => gathered(connection, { name, text, values })),
  );
  const opened = Promise.all([first, ...statements]).then(([, ...answers]) => answers.map(({ rows }) => rows));
  // Work that does not ask for them learns of a failure by its own statements.
  opened.catch(() => undefined);
  return opened;
}

/**
 * A statement with more characters of values than this is not held back: PostgreSQL runs it while the next is put
 * together.
 */
const GATHERED_CHARACTERS_MAX = 10_000;

function gathered(connection: PoolConnection, statement: Statement): Promise<Answer> {
  const { stream } = connection.connection;
  corkUntilNextTurn(stream);
  const answered = query(connection, statement);
  if (isLarge(statement)) sendGathered(stream);
  return answered;
}

function isLarge({ values = [] }: Statement): boolean {
  let characters = 0;
  for (const value of values) if (typeof value === "string" || Buffer.isBuffer(value)) characters += value.length;
  return characters > GATHERED_CHARACTERS_MAX;
}

function isWorthRetrying(error: unknown, retryOn: readonly string[]): boolean {
  const code = errorCode(error);
  return (
    error instanceof RunAgain ||
    isStaleStatement(error) ||
    (code !== undefined && (MET_ANOTHER.includes(code) || retryOn.includes(code)))
  );
}
