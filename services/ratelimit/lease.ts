import type { Database } from "../../database/database.ts";
import type { OwnSession } from "../../database/own-session.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { BECOME_HOLDER, CLOCK, GIVE_UP_CHANNEL } from "./windows.queries.ts";

/** PostgreSQL ends the session of a process that has sent nothing for this time. */
const SILENCE_MS = 2_000;
/** The process stops deciding by this time before. */
const MARGIN_MS = 250;
/** Interval at which the process sends something. */
const HEARTBEAT_MS = 300;

interface Options {
  database: Pick<Database, "openSession">;
  nodeID: string;
  clock: DatabaseClock;
  /** Another process can take the users of this holder from now on. */
  lost(): void;
  /** Another process wants the user of this key, which this holder may have. */
  askedFor(key: string): void;
}

/** The right of this process to decide about the users that it holds. */
export interface Lease {
  /** Whether it holds at a time, in milliseconds of performance.now(): no other process can have its users then. */
  isValid(now: number): boolean;
  /**
   * Runs a statement as the holder, whose name it gets, and gives the rows. An answer renews the lease. Opens a session
   * if there is none, under a name that no session had before.
   */
  run<Row>(statement: (holder: string) => { sql: string; values: readonly unknown[] }): Promise<Row[]>;
  /** Opens the session and keeps it. Waits for the first attempt, which may fail. */
  open(): Promise<void>;
  /** Gives everything free at once. */
  close(): Promise<void>;
}

/** Node of a holder. */
export function nodeOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf("/"));
}

async function becomeHolder(session: OwnSession, holder: string, clock: DatabaseClock): Promise<void> {
  const sentAt = performance.now();
  const [row] = await session.query<{ held: boolean; clock: number }>(BECOME_HOLDER, [holder]);
  if (!row?.held) throw hasNoSession();
  clock.read(row.clock, sentAt, performance.now());
  await session.query(`listen ${GIVE_UP_CHANNEL}`);
}

/** The error of a request that cannot be counted now: it is 503. */
function hasNoSession(): Error {
  return new Error("Connection terminated: the session of the rate windows has ended");
}

/**
 * A lease that PostgreSQL grants by an advisory lock. It ends with the session: at once when the process dies, and by
 * `idle_session_timeout` when the process hangs or has lost its network. The process counts the same time from the
 * moment at which it sent the last statement that was answered, so it stops before the session can have ended.
 * docs/decisions/0007-rate-limits.md
 */
export function keepLease({ database, nodeID, clock, lost, askedFor }: Options): Lease {
  let current: { holder: string; session: OwnSession } | undefined;
  let opening: Promise<{ holder: string; session: OwnSession }> | undefined;
  let validUntil = 0;
  let opened = 0;
  let isClosed = false;
  let beating: NodeJS.Timeout | undefined;

  async function openSession() {
    opened += 1;
    const holder = `${nodeID}/${opened}`;
    let hasEnded = false;
    const session = await database.openSession(
      "rate windows",
      { idle_session_timeout: SILENCE_MS },
      {
        ended() {
          hasEnded = true;
          if (current?.holder !== holder) return;
          current = undefined;
          validUntil = 0;
          lost();
        },
        notified(text) {
          const [asked, ...key] = text.split(" ");
          if (asked === holder) askedFor(key.join(" "));
        },
      },
    );
    try {
      await becomeHolder(session, holder, clock);
      if (hasEnded || isClosed) throw hasNoSession();
    } catch (error) {
      await session.end();
      throw error;
    }
    current = { holder, session };
    return current;
  }

  function sessionNow() {
    if (isClosed) throw hasNoSession();
    opening ??= openSession().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  const run: Lease["run"] = async <Row>(statement: Parameters<Lease["run"]>[0]) => {
    const { holder, session } = current ?? (await sessionNow());
    const { sql, values } = statement(holder);
    const sentAt = performance.now();
    const rows = await session.query<Row>(sql, values);
    // It may have ended together with the answer.
    if (current?.session !== session) throw hasNoSession();
    validUntil = Math.max(validUntil, sentAt + SILENCE_MS - MARGIN_MS);
    return rows;
  };

  /** Nothing waits for its answer: without one the session ends by itself. */
  async function beat(): Promise<void> {
    const sentAt = performance.now();
    const [row] = await run<{ clock: number }>(() => ({ sql: CLOCK, values: [] }));
    clock.read(row?.clock ?? 0, sentAt, performance.now());
  }

  return {
    isValid: (now) => now < validUntil,
    run,
    async open() {
      await beat().catch(() => undefined);
      beating = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS).unref();
    },
    async close() {
      isClosed = true;
      clearInterval(beating);
      const last = current ?? (await opening?.catch(() => undefined));
      current = undefined;
      validUntil = 0;
      await last?.session.end();
    },
  };
}
