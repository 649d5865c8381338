import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { endConnection } from "../connection.ts";
import { type Opening, openClient } from "../open-client.ts";
import type { Query } from "../query.ts";
import type { SessionSettings } from "../session.ts";

/** The number of the lock under which migrations run. It may be any, as long as every release uses the same. */
const MIGRATION_LOCK = 7_205_759_403;
const LOCK_POLL_MS = 200;
/** A server that takes longer to let us in is away. */
const CONNECT_MS = 5_000;

/**
 * A migration may take hours, so nobody can say how long its connection may be silent. The one that holds the lock says
 * at short intervals that it is there, on both sides: when it falls silent, the work ends here, and the lock there.
 */
export const WATCH = { everyMs: 1_000, silenceMs: 8_000, lockMs: 15_000 };

/** A connection to the database that may take the lock. */
export interface LockHolder {
  query: Query;
  /**
   * Takes the lock, and returns a signal that aborts when the connection, and with it the lock, is lost. Shared holders
   * keep out an exclusive one: a backup reads tables that no migration may change at that time.
   */
  take(kind: "alone" | "shared"): Promise<AbortSignal>;
}

/** Runs `work` with a connection on which it may take the lock of migrations; it is given back at the end. */
export async function withLockHolder<Result>(
  databaseUrl: string,
  watch: typeof WATCH,
  work: (holder: LockHolder) => Promise<Result>,
): Promise<Result> {
  const client = await openClient({
    ...migrationConnection(databaseUrl, { idle_session_timeout: watch.lockMs }),
    query_timeout: watch.silenceMs,
  });
  const over = new AbortController();
  try {
    const query: Query = async (sql, values) => (await client.query(sql, [...values])).rows;
    const take = async (kind: "alone" | "shared") => {
      await takeLock(client, kind);
      return loss(client, watch.everyMs, over.signal);
    };
    return await work({ query, take });
  } finally {
    over.abort();
    await endConnection(client);
  }
}

/** Settings of connections that migrate. */
export function migrationConnection(url: string, session: SessionSettings = {}): Opening {
  return {
    connectionString: url,
    application_name: "contact-workspace migrate",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A worker that is cut off leaves a transaction with its locks behind.
    session: { idle_in_transaction_session_timeout: WATCH.lockMs, ...session },
  };
}

/** Aborted when a connection no longer answers. */
function loss(client: pg.Client, everyMs: number, over: AbortSignal): AbortSignal {
  const lost = new AbortController();
  const ask = async () => {
    while (!over.aborted) {
      await client.query("select 1");
      await pause(everyMs, undefined, { signal: over }).catch(() => undefined);
    }
  };
  ask().catch((error: unknown) => lost.abort(error));
  return lost.signal;
}

/**
 * Takes the lock, by asking for it again and again. A session that waited for it inside PostgreSQL would hold a
 * snapshot, and a `create index concurrently` of the migration would wait for that session.
 */
async function takeLock(client: pg.Client, kind: "alone" | "shared"): Promise<void> {
  const attempt = kind === "alone" ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(`select ${attempt}($1) as held`, [MIGRATION_LOCK]);
    if (rows[0]?.held) return;
    await pause(LOCK_POLL_MS);
  }
}
