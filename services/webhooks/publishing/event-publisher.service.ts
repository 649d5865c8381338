import type { ServiceSchema } from "moleculer";
import { type Polling, type PollingOptions, pauseUnlessAborted, startPolling } from "../../../base/jobs/polling.ts";
import { createRunsByKey } from "../../../base/jobs/runs-by-key.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { repairCoordinator } from "../../../database/citus/coordinator.ts";
import { lookIntervals } from "../../../database/citus/looks.ts";
import { logAppended, onLogAppended } from "../../../engine/events/appended.ts";
import { takeOver } from "../../../engine/events/take-over.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import { DUE } from "../webhooks/due.ts";
import { createPublisher, type Publisher } from "./publisher.ts";
import { startQueueGauges } from "./queue-gauges.ts";

/** Maximum time that entries wait when no notice of them arrives. */
const LOOK_EVERY_MS = 1_000;
/** Number of workspaces whose deliveries a process makes at once. */
export const WORKSPACES_AT_ONCE = 3;
/** Time that a workspace rests after a run that has made deliveries. */
const REST_MS = 20;
/** Rest after a run whose events no webhook wanted: it costs PostgreSQL as much as forty events. */
const UNWANTED_REST_MS = 60;

interface Options extends Pick<PollingOptions, "onFailure" | "pause"> {
  /** Is told of each run that has made deliveries. */
  onDeliveries(): void;
  /** Whether requests wait for the database. */
  hasWaiting(): boolean;
  /** Interval of the look at all workspaces. */
  lookMs?: number;
  /** The rest of a workspace after a run that has made deliveries, and of the look at those that were woken. */
  restMs?: number;
}

/** The publishing of a process. */
export interface Publishing extends Polling {
  /** Looks at these workspaces at once; at all of them when none are given. */
  wake(workspaces?: Iterable<Uuid>): void;
}

/**
 * Makes deliveries as soon as this process has appended to a log, or is woken, and at intervals. The first event of a
 * burst does not wait; the others go together, because a workspace rests after each run. Several processes may do so.
 * @param database the one on which this process writes
 */
export function startPublishing(
  database: object,
  publisher: Publisher,
  { onDeliveries, hasWaiting, lookMs = LOOK_EVERY_MS, restMs = REST_MS, onFailure, ...polling }: Options,
): Publishing {
  const runs = createRunsByKey<Uuid>({
    atOnce: WORKSPACES_AT_ONCE,
    async work(workspaceId) {
      const { deliveries, hasMore } = await publisher.publish(workspaceId);
      if (deliveries > 0) onDeliveries();
      return { hasMore, restMs: deliveries > 0 ? restMs : UNWANTED_REST_MS };
    },
    pauseMs: (tookMs) => restForOthers(tookMs, hasWaiting()),
    onFailure,
  });
  const woken = new Set<Uuid>();
  let isAllDue = 0;
  const looking = startPolling({
    ...polling,
    onFailure,
    everyMs: lookMs,
    async work(signal) {
      const begun = performance.now();
      const isAll = begun >= isAllDue;
      const asked = new Set(woken);
      woken.clear();
      for (const workspaceId of await publisher.due(isAll ? undefined : asked)) runs.wake(workspaceId);
      const tookMs = performance.now() - begun;
      if (isAll) isAllDue = begun + Math.max(lookMs, LOOK_SHARE * tookMs);
      await pauseUnlessAborted(restMs, signal);
      return woken.size > 0;
    },
  });
  function wake(workspaces?: Iterable<Uuid>): void {
    if (workspaces === undefined) isAllDue = 0;
    for (const workspaceId of workspaces ?? []) woken.add(workspaceId);
    looking.wake();
  }
  // This process need not wait for the bus to learn of its own entries.
  const forget = onLogAppended(database, (workspaceId) => wake([workspaceId]));
  return {
    wake,
    async stop() {
      forget();
      await Promise.all([looking.stop(), runs.stop()]);
    },
  };
}

/** The look at all workspaces takes no more than the twentieth part of the time. */
const LOOK_SHARE = 20;

/** A run that took longer has made a thousand deliveries, and kept a processor of PostgreSQL busy. */
const LONG_RUN_MS = 50;
const REST_MS_MAX = 1000;

/** Rest after a run while requests wait, as a multiple of the time of the run. */
const REST_TIMES = 3;

/**
 * Rest of this process after a run for the sake of requests, in milliseconds: as long as a long run took, so that
 * requests are served meanwhile, and longer if some already wait.
 */
export function restForOthers(tookMs: number, hasWaiting: boolean): number {
  if (hasWaiting) return Math.min(REST_MS_MAX, REST_TIMES * tookMs);
  return tookMs > LONG_RUN_MS ? Math.min(REST_MS_MAX, tookMs) : 0;
}

/**
 * Makes the deliveries of webhooks. Each process of the folder is ready to, and one at a time does for a workspace.
 * docs/decisions/0013-events.md
 */
export default function eventPublisherService({ database, env }: ServiceContext): ServiceSchema {
  const { definitionsCache, hasWaiting } = storeOf(database);
  const publisher = createPublisher(database, { definitionsCache, subscriptions: createSubscriptions() });
  const queueGauges = pollingMixin({
    start: (logger) =>
      startQueueGauges(database.queryPlanned, ({ message }) => logger.warn("The queues were not read:", message)),
  });
  const takingOver = pollingMixin({
    start: (logger) =>
      startPolling({
        everyMs: LOOK_EVERY_MS,
        async work() {
          const workspaceId = await takeOver(database);
          if (workspaceId) logAppended(database, workspaceId);
          return workspaceId !== null;
        },
        onFailure: ({ message }) => logger.warn("Events of the release before were not taken over:", message),
      }),
  });
  const repairing = pollingMixin({
    start: (logger) =>
      startPolling({
        everyMs: LOOK_EVERY_MS,
        async work() {
          await repairCoordinator(database.queryPlanned);
          return false;
        },
        onFailure: ({ message }) => logger.warn("The coordinator of Citus was not looked at:", message),
      }),
  });
  return {
    name: "event-publisher",
    mixins: [
      pollingMixin<Publishing>({
        wokenBy: "log.appended",
        wake: (publishing, { workspaces }) => publishing.wake(workspaces),
        start: (logger, broker) =>
          startPublishing(database, publisher, {
            hasWaiting,
            lookMs: lookIntervals(database, LOOK_EVERY_MS).everyMs,
            onDeliveries: () => wakeAll(broker, DUE),
            onFailure: ({ message }) => logger.warn("Deliveries were not made:", message),
          }),
      }),
      takingOver,
      ...(database.isCitus ? [repairing] : []),
      ...(env.metricsPort === undefined ? [] : [queueGauges]),
    ],
  };
}
