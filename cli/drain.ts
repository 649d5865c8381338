import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Service, ServiceBroker } from "moleculer";

/** Time for connections in use to carry one more answer, which asks their client to close them. */
const LAST_ANSWERS_MS = 500;

/**
 * Marks the process as one that is about to stop. From now on `/readyz` is 503, which tells load balancers, and every answer
 * carries `Connection: close`, which tells clients. Nothing is closed yet, and requests are served as before.
 * docs/guides/running.md#stopping
 */
export function beginDrain(broker: ServiceBroker): void {
  broker.metadata.draining = true;
}

/**
 * Lets running requests finish and stops the broker. The gateway goes first: what it is answering still needs the
 * services of this process, all of which Moleculer would stop at the same time.
 */
export async function stopBroker(broker: ServiceBroker): Promise<void> {
  const gateway: (Service & { server?: Server }) | undefined = broker.getLocalService("gateway");
  if (gateway?.server?.listening) {
    // Clients are asked to close their connections, because a request would fail whose connection is closed while it is sent.
    gateway.server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    await pause(LAST_ANSWERS_MS);
  }
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
}
