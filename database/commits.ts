import type { PoolConnection, Waits } from "./connection.ts";
import { HELD_UP, SILENCE } from "./errors.ts";
import { SQLSTATE } from "./sqlstates.ts";

/**
 * A limit for pg that is never reached: the watch here ends a COMMIT. PostgreSQL itself has none, since
 * `statement_timeout` does not hold for the wait for a standby, and its session would stay when pg cuts it off.
 */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

const LOOK_EVERY_MS = 250;
/** A commit that takes longer than this may be waiting for a standby. */
const SLOW_MS = 1_000;

/** Rows: whether a commit of this database waits for a standby at this moment. */
const ASK =
  "select exists (select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep') as waits";

/** A COMMIT whose answer did not come in time: it may be lost in a fail-over, or be durable later. */
export class UnconfirmedCommit extends Error {
  readonly code = SQLSTATE.completionUnknown;

  constructor() {
    super(`${HELD_UP}, which has not confirmed this commit`);
  }
}

/** The commits of a pool that are on their way. docs/guides/high-availability.md#while-the-standby-hangs */
export interface Commits {
  /**
   * Gives the answer to a COMMIT. Rejects with UnconfirmedCommit if it waits for a standby for too long; PostgreSQL has
   * not answered then, so the connection stays in use until it does. A COMMIT that waits for anything else is cut off.
   */
  watch<Answer>(connection: PoolConnection, answer: Promise<Answer>): Promise<Answer>;
  /** Whether a commit has waited for a standby for longer than a write may, so that no other is begun. */
  areHeldUp(): boolean;
  /** Cuts off the commits that wait for a standby, now and later. */
  close(): void;
}

interface Commit {
  connection: PoolConnection;
  sentAt: number;
  waits: boolean;
  giveUp(error: Error): void;
}

/** @param query runs a statement on another connection */
export function watchCommits(query: <Row>(sql: string) => Promise<Row[]>, waits: Waits): Commits {
  const commits = new Set<Commit>();
  const silenceMs = waits.poolStatementMs + waits.silenceMs;
  const isLate = ({ sentAt }: Commit, ms: number) => performance.now() - sentAt >= ms;
  let isClosed = false;
  let isAsking = false;

  async function look(): Promise<void> {
    const slow = [...commits].filter((commit) => isLate(commit, Math.min(SLOW_MS, waits.standbyMs)));
    if (slow.length > 0 && !isAsking) await ask(slow);
    for (const commit of slow) judge(commit);
  }

  async function ask(slow: Commit[]): Promise<void> {
    isAsking = true;
    try {
      const [row] = await query<{ waits: boolean }>(ASK);
      for (const commit of slow) {
        // One that waits no longer is about to be answered, unless its connection has fallen silent.
        if (commit.waits && !row?.waits) commit.sentAt = performance.now();
        commit.waits = row?.waits === true;
      }
    } catch {
      // Nothing is known then, and what was known still counts.
    } finally {
      isAsking = false;
    }
  }

  function judge(commit: Commit): void {
    if (!commit.waits && isLate(commit, silenceMs)) commit.connection.connection.stream.destroy(new Error(SILENCE));
    if (commit.waits && isLate(commit, waits.standbyMs)) commit.giveUp(new UnconfirmedCommit());
    if (commit.waits && isClosed) commit.connection.connection.stream.destroy();
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return {
    watch: (connection, answer) =>
      new Promise((resolve, reject) => {
        const commit: Commit = { connection, sentAt: performance.now(), waits: false, giveUp: reject };
        commits.add(commit);
        answer.then(resolve, reject).finally(() => {
          commits.delete(commit);
          if (isClosed && commits.size === 0) clearInterval(timer);
        });
      }),
    areHeldUp: () => [...commits].some((commit) => commit.waits && isLate(commit, waits.standbyMs)),
    close() {
      isClosed = true;
      if (commits.size === 0) clearInterval(timer);
      for (const commit of commits) judge(commit);
    },
  };
}
