import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Service, ServiceBroker } from "moleculer";

/** Time for connections in use to carry one more answer, which asks their client to close them. */
const LAST_ANSWERS_MS = 500;

/**
 * Marks the process as one that is about to stop: load balancers are told by `/readyz`, which answers 503 from now on,
 * and clients by `Connection: close`. Nothing is closed yet, and requests are served as before.
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
    // Closing a connection under a client that is just sending on it would fail that request.
    gateway.server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    await pause(LAST_ANSWERS_MS);
  }
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
}
