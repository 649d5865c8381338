import { randomUUID } from "node:crypto";
import type { Middleware, Packet, ServiceBroker } from "moleculer";

/** Time in which a node has to prove that it lives. Its messages are forgotten after it. */
const PROOF_MS = 10_000;

type Handle = (command: string, packet: Packet.Packet<Packet.PacketPayload>) => Promise<unknown>;

/** Messages of a node that is not known to live yet, and the id that its answer has to bring back. */
interface Claim {
  id: string;
  since: number;
  /** Handles the last thing that it said. */
  take(): Promise<unknown>;
}

/** The packets that make a node a member. */
const CLAIMS = new Set(["INFO", "HEARTBEAT"]);

/** A heartbeat is late that comes after more intervals than this. Timers of nodes differ by a tenth of an interval. */
const LATE_INTERVALS = 1.5;

/**
 * Asks a node whether it lives, before anything that it says makes it a member, and before a late heartbeat keeps it
 * one. The seal of the bus knows a packet that came before, but a process that has just started has seen none, and one
 * whose connection was away has missed some. Without this question a recorded INFO of a node that has died would make
 * it a member again, recorded heartbeats would keep one that hangs, and most requests would be 503. The question is a
 * PING with a random id, which only a node that lives now can answer. Processes of older releases answer it too.
 * docs/guides/growing.md#the-bus
 */
export const proofOfLife: Middleware = {
  name: "ProofOfLife",
  // Moleculer calls it on its Transit, and declares that it gives the result of a handler and not a handler.
  transitMessageHandler(this: { broker: ServiceBroker }, next: Handle) {
    return handlerOf(this.broker, next) as never;
  },
};

function handlerOf(broker: ServiceBroker, next: Handle): Handle {
  const claims = new Map<string, Claim>();

  function ask(nodeID: string, take: Claim["take"]): void {
    const oldest = Date.now() - PROOF_MS;
    for (const [other, { since }] of claims) if (since < oldest) claims.delete(other);
    const id = claims.get(nodeID)?.id ?? randomUUID();
    claims.set(nodeID, { id, since: Date.now(), take });
    void broker.transit?.sendPing(nodeID, id);
  }

  return (command, packet) => {
    const sender = packet.payload.sender ?? "";
    if (CLAIMS.has(command) && sender !== broker.nodeID && needsProof(broker, sender, command)) {
      ask(sender, () => next(command, packet));
      return Promise.resolve(false);
    }
    const claim = command === "PONG" ? claims.get(sender) : undefined;
    if (claim === undefined || claim.id !== Reflect.get(packet.payload, "id")) return next(command, packet);
    claims.delete(sender);
    return claim.take();
  };
}

function needsProof({ registry, options }: ServiceBroker, nodeID: string, command: string): boolean {
  const node = registry.nodes.get(nodeID);
  if (!node?.available) return true;
  // Moleculer counts in seconds since the start of the process.
  const silentS = process.uptime() - node.lastHeartbeatTime;
  return command === "HEARTBEAT" && silentS > LATE_INTERVALS * (options.heartbeatInterval ?? 0);
}
