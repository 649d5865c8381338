import type { Service } from "moleculer";
import type { Database } from "../../lib/database/database.ts";
import type { Decision } from "../../lib/rate-limits/windows.ts";
import { keyOf, type Limiter, longestMsOf, type User } from "./limiter.ts";
import { linesOfUsers } from "./lines.ts";
import { localShare } from "./local-share.ts";
import { recentRefusals } from "./refusals.ts";
import { connect, purgeIdle, takeStored, tellMissed, type Windows } from "./windows.queries.ts";

/** A store that takes longer is away: a request has 10 s altogether, and others wait behind it. */
const ANSWER_MS_MAX = 1000;
/** So many requests of one user ask at once; the first refusal answers for all that wait. */
const ASKING_MAX = 4;
/** While the store is away, one request per this time tries it. */
const RETRY_MS = 250;
const PURGE_EVERY_MS = 60_000;

interface Surroundings {
  database: Database;
  windows: Windows;
  /** How many processes run rate limits now. */
  processes(): number;
  logger: Service["logger"];
}

/**
 * The rate windows that several processes share: in the database, decided under the lock of the user's row. While it does
 * not answer each process takes its share of every quota, and tells afterwards what it has admitted.
 */
export function sharedLimiter({ database, windows, processes, logger }: Surroundings): Limiter {
  const share = localShare(windows, processes);
  const refusals = recentRefusals();
  const inLine = linesOfUsers(ASKING_MAX);
  let retryAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function takeShared(user: User, key: string): Promise<Decision> {
    const ages = share.takeUntold(key);
    const askedAt = performance.now();
    try {
      const decision = await within(ANSWER_MS_MAX, takeStored(database, windows, { user, ages }));
      if (decision.exceeded === null) share.record(key);
      else refusals.keep(key, decision, askedAt);
      return decision;
    } catch (error) {
      share.putBack(key, ages, askedAt);
      throw error;
    }
  }

  function take(user: User): Promise<Decision> | Decision {
    const key = keyOf(user);
    return refusals.find(key) ?? inLine(key, () => takeInTurn(user, key));
  }

  async function takeInTurn(user: User, key: string): Promise<Decision> {
    const refused = refusals.find(key);
    if (refused) return refused;
    const now = performance.now();
    if (retryAt !== undefined && now < retryAt) return share.take(key);
    if (retryAt !== undefined) retryAt = now + RETRY_MS;
    try {
      const decision = await takeShared(user, key);
      if (retryAt !== undefined) found();
      return decision;
    } catch (error) {
      lost(error);
      return share.take(key);
    }
  }

  function lost(error: unknown): void {
    if (retryAt === undefined) {
      const message = "The rate windows do not answer. Until they do, this process admits its share of each quota:";
      logger.warn(message, (error as Error).message);
    }
    retryAt = performance.now() + RETRY_MS;
  }

  function found(): void {
    retryAt = undefined;
    logger.info("The rate windows answer again.");
    tell().catch(lost);
  }

  /** What was admitted by the share counts for the other processes too. */
  async function tell(): Promise<void> {
    const askedAt = performance.now();
    const missed = share.takeAllUntold();
    try {
      await tellMissed(database, windows, missed);
    } catch (error) {
      for (const { user, ages } of missed) share.putBack(keyOf(user), ages, askedAt);
      throw error;
    }
  }

  return {
    take,
    async open() {
      // The first request would wait for the connection, and may take that for an outage.
      await connect(database).catch(lost);
      timer = setInterval(() => {
        purgeIdle(database, longestMsOf(windows.policies)).catch((error: Error) =>
          logger.warn("Rate windows of idle users were not purged:", error.message),
        );
      }, PURGE_EVERY_MS);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await tell();
    },
  };
}

/** Rejects when it takes longer; what comes later is dropped. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // An answer that has arrived while this process was busy itself is read before the immediate runs.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
