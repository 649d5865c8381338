import type { Database } from "../../../lib/database/database.ts";
import { together } from "../../../lib/jobs/together.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Health, type Queue, releaseQueues, writeHealth } from "./queues.queries.ts";

/** Writes what has become of attempts to the queues, and gives these back with what is left of it. */
export interface GivingBack {
  /** Writes down what was noted of all endpoints. What cannot be written at this moment is tried again. */
  writeHealth(): Promise<void>;
  /** Gives back an endpoint whose attempts have ended, together with others that end at the same time. */
  giveBack(endpoint: Endpoint): Promise<void>;
}

const NO_HEALTH: Health = { hasSucceeded: false, hasFailed: false };

/** @param held the endpoints of this process */
export function createGivingBack(
  database: Pick<Database, "queryAlone" | "transaction">,
  held: ReadonlyMap<Queue, Endpoint>,
): GivingBack {
  async function writeAll(): Promise<void> {
    const taken = takeAll(held);
    if (taken.size === 0) return;
    let written = new Set<Queue>();
    try {
      written = await writeHealth(database.queryAlone, taken);
    } finally {
      for (const [queue, one] of taken) if (!written.has(queue)) held.get(queue)?.health.giveBack(one);
    }
  }

  const giveBack = together(async (endpoints: Endpoint[]) => {
    const left = new Map(endpoints.map(({ queue, health }) => [queue, health.take() ?? NO_HEALTH]));
    for (const queue of await releaseQueues(database, left, false)) left.delete(queue);
    for (const one of left) await releaseQueues(database, new Map([one]), true);
    return endpoints.map(() => undefined);
  });

  return { writeHealth: writeAll, giveBack };
}

function takeAll(held: ReadonlyMap<Queue, Endpoint>): Map<Queue, Health> {
  const taken = new Map<Queue, Health>();
  for (const [queue, { health }] of held) {
    const one = health.take();
    if (one) taken.set(queue, one);
  }
  return taken;
}
