import type { ServiceBroker } from "moleculer";
import { answersWithin } from "../base/loop/answers-within.ts";
import { READY_CHECK_MS } from "../config/limits.ts";
import { BusTransporter } from "./transporter.ts";

/** Whether NATS answers now. A process without a bus needs none. */
export async function isBusReachable({ transit }: ServiceBroker): Promise<boolean> {
  const transporter = transit?.tx;
  return !(transporter instanceof BusTransporter) || transporter.answers();
}

/**
 * Those of the services which no node offers that answers now. The registry goes on naming a node for up to half a
 * minute after it has fallen silent, so the nodes are asked, all at once; a node that has died is waited for only where
 * no other one offers the same.
 */
export async function unreachableServices(broker: ServiceBroker, names: Set<string>): Promise<string[]> {
  const offers = broker.registry
    .getServiceList({ onlyAvailable: true })
    .map(({ fullName, nodeID = "" }) => ({ name: fullName, nodeID }))
    .filter(({ name }) => names.has(name));
  const missing = new Set(offers.map(({ name }) => name));
  const reach = (nodeID: string) => {
    for (const offer of offers) if (offer.nodeID === nodeID) missing.delete(offer.name);
  };
  reach(broker.nodeID);
  if (missing.size > 0)
    await pongs(broker, new Set(offers.map(({ nodeID }) => nodeID)), (nodeID) => {
      reach(nodeID);
      return missing.size === 0;
    });
  const offered = new Set(offers.map(({ name }) => name));
  return [...names].filter((name) => missing.has(name) || !offered.has(name));
}

/** Asks nodes for a sign of life, and hears their answers until one of them is enough or the time is over. */
async function pongs(broker: ServiceBroker, nodes: Set<string>, isEnough: (nodeID: string) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = ({ nodeID }: { nodeID: string }) => {
    if (isEnough(nodeID)) resolve();
  };
  broker.localBus.on("$node.pong", hear);
  for (const nodeID of nodes) if (nodeID !== broker.nodeID) void broker.transit?.sendPing(nodeID);
  await answersWithin(READY_CHECK_MS, promise);
  broker.localBus.off("$node.pong", hear);
}
