import { batched } from "../../../base/jobs/batched.ts";
import type { Database } from "../../../database/database.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Health, type Queue, releaseQueues, writeHealth } from "./queues.queries.ts";

/** Writes the outcomes of attempts to the queues, and gives the queues back with the rest. */
export interface QueueRelease {
  /** Writes down what was noted of all endpoints. What cannot be written at this moment is tried again. */
  writeHealth(): Promise<void>;
  /** Gives back an endpoint whose attempts have ended, together with others that end at the same time. */
  giveBack(endpoint: Endpoint): Promise<void>;
}

const NO_HEALTH: Health = { hasSucceeded: false, hasFailed: false };

/** @param held the endpoints of this process */
export function createQueueRelease(
  database: Pick<Database, "queryPlanned" | "transaction">,
  held: ReadonlyMap<Queue, Endpoint>,
): QueueRelease {
  let writing: Promise<void> = Promise.resolve();

  function writeAll(): Promise<void> {
    const written = writing.then(writeNotes);
    writing = written.catch(() => undefined);
    return written;
  }

  async function writeNotes(): Promise<void> {
    const taken = takeAll(held);
    if (taken.size === 0) return;
    let written = new Set<Queue>();
    try {
      written = await writeHealth(database.queryPlanned, taken);
    } finally {
      for (const [queue, one] of taken) if (!written.has(queue)) held.get(queue)?.health.giveBack(one);
    }
  }

  /** Takes those that were given back out of the map. */
  async function releaseAll(left: Map<Queue, Health>): Promise<void> {
    for (const queue of await releaseQueues(database, left, false)) left.delete(queue);
    for (const one of [...left]) {
      await releaseQueues(database, new Map([one]), true);
      left.delete(one[0]);
    }
  }

  const release = batched(async (endpoints: Endpoint[]) => {
    // Outcomes that are being written now can come back to the notes.
    await writing;
    const left = new Map(endpoints.map(({ queue, health }) => [queue, health.take() ?? NO_HEALTH]));
    try {
      await releaseAll(left);
    } catch (error) {
      for (const { queue, health } of endpoints) {
        const one = left.get(queue);
        if (one && one !== NO_HEALTH) health.giveBack(one);
      }
      throw error;
    }
    return endpoints.map(() => undefined);
  });

  return {
    writeHealth: writeAll,
    // A lost success could be the one that keeps a webhook from being switched off, so this tries twice.
    giveBack: (endpoint) => release(endpoint).catch(() => release(endpoint)),
  };
}

function takeAll(held: ReadonlyMap<Queue, Endpoint>): Map<Queue, Health> {
  const taken = new Map<Queue, Health>();
  for (const [queue, { health }] of held) {
    const one = health.take();
    if (one) taken.set(queue, one);
  }
  return taken;
}
