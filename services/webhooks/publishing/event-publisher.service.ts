import type { ServiceSchema } from "moleculer";
import { type Polling, type PollingOptions, pauseUnlessAborted, startPolling } from "../../../base/jobs/polling.ts";
import { onEventsWritten } from "../../../engine/events/written.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import { DUE } from "../webhooks/due.ts";
import { createPublisher, type Publisher, type Run } from "./publisher.ts";
import { startQueueGauges } from "./queue-gauges.ts";

/** Maximum time that events wait when no notice of them arrives. */
const PUBLISH_EVERY_MS = 1_000;
/** Time that this process rests after a run that has made deliveries. */
const REST_MS = 20;
/**
 * Rest after a run whose events no webhook wanted. It is longer, because a run costs PostgreSQL as much as forty
 * events, and streams and readers of the feed can wait for it.
 */
const UNWANTED_REST_MS = 60;

interface Options extends Pick<PollingOptions, "onFailure" | "pause"> {
  /** Is told of each run that has passed events on, or made deliveries. */
  onPublished(run: Run): void;
  /** Whether requests wait for the database. */
  hasWaiting(): boolean;
  /**
   * Rest of this process after a run that has passed on everything, so that the events of a burst go together. The
   * first event of a burst does not wait.
   */
  restMs?(run: Run): number;
}

/**
 * Passes events on as soon as this process has written some, or is woken, and at intervals. Several processes may do
 * so.
 * @param database the one on which this process writes events
 */
export function startPublishing(
  database: object,
  publisher: Publisher,
  { onPublished, hasWaiting, restMs = restAfter, ...polling }: Options,
): Polling {
  const publishing = startPolling({
    ...polling,
    everyMs: PUBLISH_EVERY_MS,
    async work(signal) {
      const begun = performance.now();
      const run = await publisher.publish();
      const restForOthersMs = restForOthers(performance.now() - begun, hasWaiting());
      if (run.events > 0 || run.deliveries > 0) onPublished(run);
      const wantedMs = run.events > 0 && !run.hasMore ? restMs(run) : 0;
      if (wantedMs + restForOthersMs > 0) await pauseUnlessAborted(Math.max(wantedMs, restForOthersMs), signal);
      return run.hasMore;
    },
  });
  // This process need not wait for the bus to learn of its own events.
  const forget = onEventsWritten(database, publishing.wake);
  return {
    wake: publishing.wake,
    stop() {
      forget();
      return publishing.stop();
    },
  };
}

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

/** Time that this process rests after a run, in milliseconds. */
export function restAfter({ deliveries }: Run): number {
  return deliveries > 0 ? REST_MS : UNWANTED_REST_MS;
}

/**
 * Passes events on, to those who read them and to webhooks. Each process of the folder is ready to, and one at a time
 * does. docs/decisions/0013-events.md
 */
export default function eventPublisherService({ database, env }: ServiceContext): ServiceSchema {
  const { definitionsCache, hasWaiting } = storeOf(database);
  const publisher = createPublisher(database, { definitionsCache, subscriptions: createSubscriptions() });
  const queueGauges = pollingMixin({
    start: (logger) =>
      startQueueGauges(database.queryPlanned, ({ message }) => logger.warn("The queues were not read:", message)),
  });
  return {
    name: "event-publisher",
    mixins: [
      pollingMixin({
        wokenBy: "events.written",
        start: (logger, broker) =>
          startPublishing(database, publisher, {
            hasWaiting,
            onPublished({ events, deliveries }) {
              if (events > 0) wakeAll(broker, "events.published");
              if (deliveries > 0) wakeAll(broker, DUE);
            },
            onFailure: ({ message }) => logger.warn("Events were not passed on:", message),
          }),
      }),
      ...(env.metricsPort === undefined ? [] : [queueGauges]),
    ],
  };
}
