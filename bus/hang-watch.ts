import { Errors, type Middleware, type Packet, type ServiceBroker } from "moleculer";
import { showGauge } from "../base/budgets/gauges.ts";
import { LOOK_MS, type Peers } from "./peers.ts";

type Handle = (command: string, packet: Packet.Packet<Packet.PacketPayload>) => Promise<unknown>;

/**
 * Finds nodes that hang within 2 s: a node that owes an answer and says nothing is asked for a sign of life, a PING of
 * Moleculer. When it gives none, calls go to other nodes until it does, and those that it still owes fail, as far as
 * another node could have run them. docs/decisions/0020-nodes-that-hang.md
 */
export function hangWatch(peers: Peers): Middleware {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: "HangWatch",
    async started(broker: ServiceBroker) {
      if (!broker.transit) return;
      broker.localBus.on("$node.disconnected", ({ node }: { node: { id: string } }) => peers.forget(node.id));
      showGauge("contact_workspace_bus_processes_out", {}, peers.out);
      timer = setInterval(() => look(broker, peers), LOOK_MS).unref();
    },
    async stopping() {
      clearInterval(timer);
    },
    // Moleculer declares that it gives the result of a handler and not a handler.
    transitMessageHandler: ((next: Handle): Handle => {
      return (command, packet) => {
        peers.heard(packet.payload.sender ?? "");
        return next(command, packet);
      };
    }) as never,
  };
}

function look(broker: ServiceBroker, peers: Peers): void {
  if (broker.transit?.tx.connected !== true) return;
  const { ask, hung } = peers.look();
  for (const nodeID of hung) {
    broker.logger.warn(`The process ${nodeID} hangs. Calls go to others until it answers.`);
    failCallsTo(broker, nodeID);
  }
  for (const nodeID of ask) void broker.transit.sendPing(nodeID);
}

/**
 * Fails the calls whose answer a node owes. A call that no other node can run goes on waiting: its node may be slow.
 */
function failCallsTo({ transit, registry }: ServiceBroker, nodeID: string): void {
  if (!transit) return;
  for (const [id, request] of [...transit.pendingRequests]) {
    const action = request.ctx.action?.name ?? "";
    const offers = registry.actions.get(action)?.endpoints ?? [];
    if (request.nodeID !== nodeID || !offers.some((offer: { id: string }) => offer.id !== nodeID)) continue;
    transit.pendingRequests.delete(id);
    request.reject(new Errors.RequestRejectedError({ action, nodeID }));
  }
}
