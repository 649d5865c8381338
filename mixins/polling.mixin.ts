import type { Service, ServiceSchema } from "moleculer";
import type { Polling } from "../lib/jobs/polling.ts";

interface Options {
  /**
   * The event that wakes the work, on whatever node it was sent: send it with `broker.broadcast` when what makes work is committed.
   * Without one the work is done at intervals alone.
   */
  wokenBy?: string;
  start(logger: Service["logger"]): Polling;
}

/** Makes a service work in the background from its start on. Its stop waits until the work has ended. */
export function pollingMixin({ wokenBy, start }: Options): Partial<ServiceSchema> {
  let polling: Polling | undefined;
  return {
    events: wokenBy === undefined ? {} : { [wokenBy]: () => polling?.wake() },
    started(this: Service) {
      polling = start(this.logger);
    },
    stopped: () => polling?.stop(),
  };
}
