import type { ServiceBroker } from "moleculer";
import { drain } from "../mixins/drain.ts";

/** Makes `/readyz` answer 503 from now on. Nothing is closed yet. */
export function beginDrain(broker: ServiceBroker | undefined): void {
  drain.begun = true;
  if (!broker) return;
  broker.metadata.draining = true;
  void broker.broadcastLocal("drain.begun");
}

/**
 * Lets running requests finish and stops the broker. The gateway goes first: what it is answering still needs the
 * services of this process, all of which Moleculer would stop at the same time.
 */
export async function stopBroker(broker: ServiceBroker): Promise<void> {
  const gateway = broker.getLocalService("gateway");
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
}
