import { setTimeout as pause } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { prepareSchema } from "../base/contract/validate.ts";
import { isJsonSchema } from "../bus/validator.ts";

/** Rest after a piece of work, as a multiple of the time that it took. */
const REST_TIMES = 3;

/**
 * Does the work of the first request of each kind in advance: compiles the schemas of actions, and makes the pages.
 * Each takes some 10 ms, a large one on a slow machine 60, in which that request would hold the event loop.
 */
export async function prepare(broker: ServiceBroker): Promise<void> {
  for await (const _ of pieces(broker)) if (broker.metadata.draining) return;
}

async function* pieces(broker: ServiceBroker): AsyncGenerator<void> {
  let since = performance.now();
  const gateway = broker.getLocalService("gateway") as { makePages?(): AsyncGenerator<void> } | undefined;
  for (const work of [schemas(broker), gateway?.makePages?.() ?? []]) {
    for await (const _ of work) {
      await pause(REST_TIMES * (performance.now() - since));
      yield;
      since = performance.now();
    }
  }
}

function* schemas(broker: ServiceBroker): Generator<void> {
  for (const { action } of broker.registry.getActionList({ withEndpoints: false })) {
    const { params } = (action ?? {}) as { params?: unknown };
    if (!isJsonSchema(params)) continue;
    prepareSchema(params);
    yield;
  }
}
