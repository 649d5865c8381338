import type { Service } from "moleculer";
import type { Decision } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import { type Limiter, longestMsOf, type User, userKey } from "./limiter.ts";
import { linesOfUsers } from "./lines.ts";
import { localShare } from "./local-share.ts";
import { recentRefusals } from "./refusals.ts";
import { connect, countStored, purgeIdle, tellMissed, type Windows } from "./windows.queries.ts";

/** When the database takes longer, it counts as away: a request has 10 s altogether, and others wait behind it. */
const ANSWER_MS_MAX = 1000;
/** Number of requests of one user that ask the database at once. The first refusal answers for all that wait. */
const ASKING_MAX = 4;
/** While the database is away, one request in this time tries it. */
const RETRY_MS = 250;
const PURGE_EVERY_MS = 60_000;

interface Surroundings {
  database: Database;
  windows: Windows;
  /** Number of processes that run the service ratelimit now. */
  processes(): number;
  logger: Service["logger"];
}

/**
 * The rate windows that several processes share. They are in the database, where each request is decided under the lock of
 * its user's row. While the database does not answer, each process admits its share of every quota, and tells the database
 * afterwards what it has admitted. docs/guides/growing.md#rate-windows
 */
export function sharedLimiter({ database, windows, processes, logger }: Surroundings): Limiter {
  const share = localShare(windows, processes);
  const refusals = recentRefusals();
  const inLine = linesOfUsers(ASKING_MAX);
  let retryAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function countInDatabase(user: User, key: string): Promise<Decision> {
    const ages = share.takeUntold(key);
    const askedAt = performance.now();
    try {
      const decision = await within(ANSWER_MS_MAX, countStored(database, windows, { user, ages }));
      if (decision.exceeded === null) share.record(key);
      else refusals.keep(key, decision, askedAt);
      return decision;
    } catch (error) {
      share.putBack(key, ages, askedAt);
      throw error;
    }
  }

  function countRequest(user: User): Promise<Decision> | Decision {
    const key = userKey(user);
    return refusals.find(key) ?? inLine(key, () => countNext(user, key));
  }

  /** Decides the request that is next in the line of its user: in the database, or by the share while that is away. */
  async function countNext(user: User, key: string): Promise<Decision> {
    const refused = refusals.find(key);
    if (refused) return refused;
    const now = performance.now();
    if (retryAt !== undefined && now < retryAt) return share.countRequest(key);
    if (retryAt !== undefined) retryAt = now + RETRY_MS;
    try {
      const decision = await countInDatabase(user, key);
      if (retryAt !== undefined) endOutage();
      return decision;
    } catch (error) {
      beginOutage(error);
      return share.countRequest(key);
    }
  }

  /** Begins an outage, or goes on with it. Only the beginning is logged. */
  function beginOutage(error: unknown): void {
    if (retryAt === undefined) {
      const message = "The rate windows do not answer. Until they do, this process admits its share of each quota:";
      logger.warn(message, (error as Error).message);
    }
    retryAt = performance.now() + RETRY_MS;
  }

  function endOutage(): void {
    retryAt = undefined;
    logger.info("The rate windows answer again.");
    tellAdmitted().catch(beginOutage);
  }

  /** Tells the database what the share has admitted, so that it counts for the other processes too. */
  async function tellAdmitted(): Promise<void> {
    const askedAt = performance.now();
    const missed = share.takeAllUntold();
    try {
      await tellMissed(database, windows, missed);
    } catch (error) {
      for (const { user, ages } of missed) share.putBack(userKey(user), ages, askedAt);
      throw error;
    }
  }

  return {
    countRequest,
    async open() {
      // Without this the first request would wait for the connection to be opened, and might take that for an outage.
      await connect(database).catch(beginOutage);
      timer = setInterval(() => {
        purgeIdle(database, longestMsOf(windows.policies)).catch((error: Error) =>
          logger.warn("Rate windows of idle users were not purged:", error.message),
        );
      }, PURGE_EVERY_MS);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await tellAdmitted();
    },
  };
}

/** The result of work. Rejects when the work takes longer, and drops a result that comes later. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // The time may have passed because this process was busy itself. An answer that has arrived meanwhile is read before the
    // immediate runs.
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
