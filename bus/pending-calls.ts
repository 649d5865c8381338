import { Errors, type Transit } from "moleculer";

/** A call without an answer yet, and the number of the NATS message that carried it. */
export type PendingCall = Transit.TransitRequest & { message?: number };

type PendingCalls = [id: string, call: PendingCall][];

/** The calls that a node has not answered yet. */
export function owedBy(transit: Transit, nodeID: string): PendingCalls {
  return [...transit.pendingRequests].filter(([, call]) => call.nodeID === nodeID);
}

/** Fails the calls that are still unanswered. The node can have run them all the same. */
export function failOwed({ pendingRequests }: Transit, owed: PendingCalls): void {
  for (const [id, call] of owed) {
    if (pendingRequests.get(id) !== call) continue;
    pendingRequests.delete(id);
    call.reject(new Errors.RequestRejectedError({ action: call.ctx.action?.name, nodeID: call.nodeID }));
  }
}

/** Fails all unanswered calls of this process, because the connection to NATS is lost and their answers with it. */
export function failAll({ pendingRequests }: Transit): void {
  for (const [id, call] of [...pendingRequests]) {
    pendingRequests.delete(id);
    // Moleculer's types ask for the arguments of the base class, and the constructor of this error takes none.
    call.reject(new (Errors.BrokerDisconnectedError as unknown as new () => Error)());
  }
}
