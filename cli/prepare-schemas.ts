import { setTimeout as pause } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { isJsonSchema } from "../broker/validator.ts";
import { prepareSchema } from "../lib/contract/validate.ts";

/** How often the time that a schema took passes before the next one. */
const REST_TIMES = 3;

/**
 * Compiles the schemas of all actions beside the first requests, one after the other. Each takes some 10 ms, large ones on a slow
 * machine 60, for which the first request of its kind would hold the event loop.
 */
export async function prepareSchemas(broker: ServiceBroker): Promise<void> {
  for (const { action } of broker.registry.getActionList({ withEndpoints: false })) {
    if (broker.metadata.draining) return;
    const { params } = (action ?? {}) as { params?: unknown };
    if (!isJsonSchema(params)) continue;
    const since = performance.now();
    prepareSchema(params);
    await pause(REST_TIMES * (performance.now() - since));
  }
}
