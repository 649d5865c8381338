import { Errors, type Transit } from "moleculer";

/** A call that waits for its answer, and the number of the message in which it was sent. */
export type PendingCall = Transit.TransitRequest & { message?: number };

type PendingCalls = [id: string, call: PendingCall][];

/** The calls whose answer a node owes now. */
export function owedBy(transit: Transit, nodeID: string): PendingCalls {
  return [...transit.pendingRequests].filter(([, call]) => call.nodeID === nodeID);
}

/** Fails those of the calls that still wait for their answer. They may have run. */
export function failOwed({ pendingRequests }: Transit, owed: PendingCalls): void {
  for (const [id, call] of owed) {
    if (pendingRequests.get(id) !== call) continue;
    pendingRequests.delete(id);
    call.reject(new Errors.RequestRejectedError({ action: call.ctx.action?.name, nodeID: call.nodeID }));
  }
}

/** Fails all calls of this process, since their answers are lost with the connection to NATS. They may have run. */
export function failAll({ pendingRequests }: Transit): void {
  for (const [id, call] of [...pendingRequests]) {
    pendingRequests.delete(id);
    // Moleculer declares the parameters of the base class for an error that takes none.
    call.reject(new (Errors.BrokerDisconnectedError as unknown as new () => Error)());
  }
}
