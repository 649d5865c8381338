import { setTimeout as pause } from "node:timers/promises";
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
  const closing = new AbortController();

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
    const [row] = await session.query<{ held: boolean }>(BECOME_HOLDER, [holder]);
    await session.query(`listen ${GIVE_UP_CHANNEL}`);
    if (!row?.held || hasEnded) {
      await session.end();
      throw new Error("Connection terminated: the session of the rate windows has ended");
    }
    current = { holder, session };
    return current;
  }

  function sessionNow() {
    if (current) return current;
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
    if (current?.session === session) validUntil = Math.max(validUntil, sentAt + SILENCE_MS - MARGIN_MS);
    return rows;
  };

  async function beat(): Promise<void> {
    const sentAt = performance.now();
    const [row] = await run<{ clock: number }>(() => ({ sql: CLOCK, values: [] }));
    clock.read(row?.clock ?? 0, sentAt, performance.now());
  }

  async function keepBeating(): Promise<void> {
    for (;;) {
      await pause(HEARTBEAT_MS, undefined, { signal: closing.signal, ref: false });
      // A heartbeat that is not answered is not waited for: its session ends by itself.
      beat().catch(() => undefined);
    }
  }

  return {
    isValid: (now) => now < validUntil,
    run,
    async open() {
      await beat().catch(() => undefined);
      keepBeating().catch(() => undefined);
    },
    async close() {
      closing.abort();
      const last = current ?? (await opening?.catch(() => undefined));
      current = undefined;
      validUntil = 0;
      await last?.session.end();
    },
  };
}
