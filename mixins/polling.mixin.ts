import type { Context, Service, ServiceBroker, ServiceSchema } from "moleculer";
import type { Polling } from "../base/jobs/polling.ts";
import type { Uuid } from "../base/values/ids.ts";

/** Content of an event that wakes work. */
export interface Woken {
  /** Those in which there is something to do. */
  workspaces: Uuid[];
}

interface Options<Work extends Polling> {
  /** The event that wakes the work (`wakeAll`). Without one it is done at intervals alone. */
  wokenBy?: string;
  /** Wakes the work with what the event tells; by default it is woken as a whole. */
  wake?(work: Work, woken: Woken): void;
  start(logger: Service["logger"], broker: ServiceBroker): Work;
}

/** Makes a service work in the background from its start on. Its stop waits until the work has ended. */
export function pollingMixin<Work extends Polling>({
  wokenBy,
  wake = (work) => work.wake(),
  start,
}: Options<Work>): Partial<ServiceSchema> {
  let polling: Work | undefined;
  const onEvent = ({ params }: Context<Woken>) => polling && wake(polling, params);
  return {
    events: wokenBy === undefined ? {} : { [wokenBy]: onEvent },
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
export function wakeAll(broker: ServiceBroker, event: string, woken?: Woken): void {
  broker.broadcast(event, woken).catch((error: Error) => broker.logger.debug(`${event} was not sent:`, error.message));
}
