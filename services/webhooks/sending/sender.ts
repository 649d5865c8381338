import { batched } from "../../../base/jobs/batched.ts";
import { doClaimedJobs } from "../../../base/jobs/claimed-jobs.ts";
import { keepLeases } from "../../../base/jobs/leases.ts";
import { type Polling, type PollingOptions, startPolling } from "../../../base/jobs/polling.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import {
  WEBHOOK_FAILING_DAYS_MAX,
  WEBHOOK_REQUESTS_AT_ONCE_ALL,
  WEBHOOK_REQUESTS_AT_ONCE_FAILING,
  WEBHOOKS_HELD_MAX,
} from "../../../config/limits.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import { lookIntervals } from "../../../database/citus/looks.ts";
import type { Database } from "../../../database/database.ts";
import { createAttemptSlots } from "./attempt-slots.ts";
import { claimQueues } from "./claims.queries.ts";
import { type Asked, inSlices, readDue, readStandings } from "./deliveries.queries.ts";
import { deliver, type Means } from "./delivering.ts";
import { askForPage, createEndpoint, type Endpoint, type Surroundings, serve } from "./endpoint.ts";
import type { Queue } from "./queues.queries.ts";
import { createQueueRelease, type QueueRelease } from "./release-queues.ts";
import { createRenewing } from "./renewing.ts";
import { createResults } from "./results.ts";
import { cancelStopped, stopWebhook } from "./stops.queries.ts";
import { tellOnce } from "./tell-once.ts";

/**
 * Interval at which the sender looks for webhooks with due deliveries, and for new deliveries of those it holds. It is
 * woken when deliveries are made, and finds most of them sooner.
 */
const EVERY_MS = 500;
/**
 * Time that a killed sender holds up its webhooks. Two renewals in a row can fail; after a third, other senders can
 * take them.
 */
const LEASE_MS = 20_000;
const RENEW_EVERY_MS = 5_000;
/**
 * Time in which free slots are gathered while webhooks wait for them. With thousands of due webhooks a claim takes
 * PostgreSQL 20 ms, and one claim for each returned webhook would keep a processor busy.
 */
const CLAIM_REST_MS = 50;
/** The same on Citus, where each claim asks all shards, and each webhook that is given back has one made. */
const CITUS_REST_MS = 200;
/** For how long attempts that begin are gathered, to be read by one statement. */
const GATHER_MS = 2;
/** The id of a key in an error of encryption (engine/secrets/cipher.ts). */
const KEY_ID = /(?<=the key )[0-9a-f]+/;
/** Maximum share of the held webhooks whose last attempt has failed. */
const FAILING_PART = 0.5;
/** Maximum share of the held webhooks of one workspace. */
const PART_OF_ONE = 0.8;

interface Logger {
  info(...message: unknown[]): void;
  warn(...message: unknown[]): void;
}

/** The parts that sending needs. */
export interface Sending extends Omit<Means, "standingOf" | "onSealed"> {
  database: Pick<Database, "isCitus" | "sharedConnection" | "queryPlanned" | "transaction">;
  /** Whether requests wait for the database. Fewer attempts begin then. */
  hasWaiting(): boolean;
}

/**
 * Sends the deliveries that are due, those of many webhooks at once. Several processes may do so: each webhook is
 * served by one of them at a time. docs/decisions/0014-webhook-delivery.md
 */
export function startSending(sending: Sending, logger: Logger, clock: Pick<PollingOptions, "pause"> = {}): Polling {
  const { database } = sending;
  const query = database.queryPlanned;
  const held = new Map<Queue, Endpoint>();
  /** Whether the last claim has left others, and whether it has left some that fail. */
  const crowded = { all: false, failing: false };
  const told = { onFailure: ({ message }: Error) => logger.warn("Webhooks cannot be served:", message) };
  const polled = { ...clock, ...told };
  const giving = createQueueRelease(database, held);

  const around = surroundings({
    sending,
    logger,
    giving,
    wantPage: () => pages.wake(),
    isCrowded: (isFailing) => crowded.all || (isFailing && crowded.failing),
    ...told,
  });

  const pages = startPolling({
    ...polled,
    everyMs: EVERY_MS,
    async work() {
      await Promise.all([readPages(database, held, around), giving.writeHealth()]);
      return false;
    },
  });
  const renewing = createRenewing(database, LEASE_MS, told.onFailure);
  const leases = keepLeases<Queue>({
    ...polled,
    everyMs: RENEW_EVERY_MS,
    held: () => [...held.keys()],
    renew: renewing.renew,
    onLost: (queue) => held.get(queue)?.close(),
  });
  const jobs = doClaimedJobs<Queue>({
    ...polled,
    ...lookIntervals(database, EVERY_MS),
    atOnce: WEBHOOKS_HELD_MAX,
    async claim(count) {
      const failing = [...held.values()].filter((endpoint) => endpoint.isFailing()).length;
      const failingMost = Math.max(0, WEBHOOKS_HELD_MAX * FAILING_PART - failing);
      const ofOneMost = WEBHOOKS_HELD_MAX * PART_OF_ONE;
      const claimed = await claimQueues(query, count, LEASE_MS, failingMost, [...held.keys()], ofOneMost);
      // A workspace that has its part may have left others, as if all places were taken.
      crowded.all = claimed.length === count || mostOfOne([...held.keys(), ...claimed]) >= ofOneMost;
      crowded.failing = claimed.filter(({ isFailing }) => isFailing).length === failingMost;
      return claimed;
    },
    restMs: () => (database.isCitus ? CITUS_REST_MS : crowded.all ? CLAIM_REST_MS : 0),
    async run(queue, signal) {
      const endpoint = createEndpoint(queue, around);
      held.set(queue, endpoint);
      try {
        await serve(endpoint, around, signal);
        await giving.giveBack(endpoint);
      } finally {
        held.delete(queue);
      }
    },
    onJobFailure: (_, { message }) => logger.warn("A webhook was not given back:", message),
  });

  return {
    wake() {
      jobs.wake();
      pages.wake();
    },
    async stop() {
      await jobs.stop();
      await Promise.all([pages.stop(), leases.stop()]);
      await renewing.ended();
    },
  };
}

/** Number of these that the workspace with the most of them has. */
function mostOfOne(queues: readonly Queue[]): number {
  const counts = new Map<Uuid, number>();
  for (const { workspaceId } of queues) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Reads the next deliveries of all endpoints that have room for more. */
async function readPages(
  database: Pick<Database, "sharedConnection">,
  held: ReadonlyMap<Queue, Endpoint>,
  around: Surroundings,
): Promise<void> {
  const asked = [...held].map(([queue, endpoint]) => {
    return { workspaceId: queue.workspaceId, queue, ...askForPage(endpoint, around) };
  });
  const wanted = asked.filter(({ most }) => most > 0);
  await byWorkspace(wanted, async (workspaceId, all) => {
    for (const some of inSlices(all)) {
      const most = new Map(some.map(({ queue, most }) => [queue, most]));
      const due = await readDue(database.sharedConnection("webhooks").read, workspaceId, most);
      for (const { queue, take } of some) take(due.get(queue) ?? []);
    }
    return [];
  });
}

interface Served extends Pick<Surroundings, "wantPage" | "isCrowded" | "onFailure"> {
  sending: Sending;
  logger: Logger;
  giving: QueueRelease;
}

/** The parts that all endpoints of this process share. */
function surroundings({ sending, logger, giving, ...more }: Served): Surroundings {
  const { database } = sending;
  const query = database.queryPlanned;
  const read = database.sharedConnection("webhooks").read;
  // The error names the key that is missing, perhaps for a hundred thousand deliveries.
  const tellOfKey = tellOnce((message) => logger.warn("Deliveries wait until they can be signed:", message));
  const standings = batched((asked: Asked[]) => readStandings(read, asked), GATHER_MS);
  const means: Means = {
    ...sending,
    onSealed: ({ message }) => tellOfKey(message, KEY_ID.exec(message)?.[0]),
    standingOf: (queue, due) => standings({ queue, due }),
  };
  const places = createAttemptSlots(WEBHOOK_REQUESTS_AT_ONCE_ALL, WEBHOOK_REQUESTS_AT_ONCE_FAILING, sending);

  async function stopIfDue({ queue, health }: Endpoint, gone: string | null): Promise<boolean> {
    if (gone === null) {
      await giving.writeHealth();
      // Others write to the queue at this moment, or attempts end. The next delivery that fails for good asks again.
      if (health.hasSucceeded()) return false;
    }
    const hasStopped = await stopWebhook(
      database,
      queue,
      gone === null
        ? { because: "failing", sinceDays: WEBHOOK_FAILING_DAYS_MAX }
        : { because: "gone", targetUrl: gone },
    );
    if (hasStopped) {
      const why = gone === null ? `all has failed for ${WEBHOOK_FAILING_DAYS_MAX} days` : "the receiver answered 410";
      logger.warn(`The webhook ${toId("webhook", queue.webhookId)} is inactive now: ${why}.`);
    }
    return hasStopped;
  }

  return {
    ...more,
    ask: places.ask,
    deliver: (queue, due, connections, signal) => deliver(means, queue, due, connections, signal),
    write: createResults(query, more.onFailure),
    stopWebhook: stopIfDue,
    cancelStopped: (queue, signal) => cancelStopped(query, queue, signal),
  };
}
