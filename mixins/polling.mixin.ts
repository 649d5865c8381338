import type { Service, ServiceBroker, ServiceSchema } from "moleculer";
import type { Polling } from "../base/jobs/polling.ts";

interface Options {
  /** The event that wakes the work (`wakeAll`). Without one it is done at intervals alone. */
  wokenBy?: string;
  start(logger: Service["logger"], broker: ServiceBroker): Polling;
}

/** Makes a service work in the background from its start on. Its stop waits until the work has ended. */
export function pollingMixin({ wokenBy, start }: Options): Partial<ServiceSchema> {
  let polling: Polling | undefined;
  return {
    events: wokenBy === undefined ? {} : { [wokenBy]: () => polling?.wake() },
    started(this: Service) {
      polling = start(this.logger, this.broker);
    },
    stopped: () => polling?.stop(),
  };
}

/**
 * Wakes the work behind an event on all nodes. Call it when the work is committed. No code waits for it, and it never
 * fails: work that is not woken is found after its interval.
 */
export function wakeAll(broker: ServiceBroker, event: string): void {
  broker.broadcast(event).catch((error: Error) => broker.logger.debug(`${event} was not sent:`, error.message));
}
