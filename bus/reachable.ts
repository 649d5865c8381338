import type { ServiceBroker } from "moleculer";
import { READY_CHECK_MS } from "../config/limits.ts";
import { BusTransporter } from "./transporter.ts";

/** Whether NATS answers now. A process without a bus needs none. */
export async function isBusReachable({ transit }: ServiceBroker): Promise<boolean> {
  const transporter = transit?.tx;
  return !(transporter instanceof BusTransporter) || transporter.answers();
}

/**
 * Those of the services which no node offers that answers now. The registry goes on naming a node for up to half a minute after
 * it has fallen silent, so the nodes are asked, all at once.
 */
export async function unreachableServices(broker: ServiceBroker, names: Set<string>): Promise<string[]> {
  const offers = broker.registry
    .getServiceList({ onlyAvailable: true })
    .map(({ fullName, nodeID = "" }) => ({ name: fullName, nodeID }))
    .filter(({ name }) => names.has(name));
  const nodes = new Set(offers.map(({ nodeID }) => nodeID));
  const reachable = new Set(nodes.delete(broker.nodeID) ? [broker.nodeID] : []);
  // Asking nobody would take all of the time.
  const pongs = nodes.size === 0 ? {} : await broker.ping([...nodes], READY_CHECK_MS);
  for (const [nodeID, pong] of Object.entries(pongs)) if (pong) reachable.add(nodeID);
  const reached = new Set(offers.filter(({ nodeID }) => reachable.has(nodeID)).map(({ name }) => name));
  return [...names].filter((name) => !reached.has(name));
}
