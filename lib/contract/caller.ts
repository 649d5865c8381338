import type { Uuid } from "../values/ids.ts";
import type { Claim } from "./claim.ts";

/** Who makes a request: the user behind the API key, or on whose behalf the command line works. It travels as ctx.meta.caller. */
export interface Caller {
  workspaceId: Uuid;
  userId: Uuid;
  /** Null for the command line, which needs no key. */
  keyId: Uuid | null;
  access: "full" | "read";
  /** The Idempotency-Key of the request, for the transaction that does its work. */
  claim?: Claim;
}

const clients = new WeakMap<Caller, () => boolean>();

/** A caller for one request of a client, who may go away before anything was done for it. That does not cross the bus. */
export function withClient(caller: Caller, isGone: () => boolean): Caller {
  const one = { ...caller };
  clients.set(one, isGone);
  return one;
}

/** Tells whether the client of a request has gone; undefined when that is not known. */
export function clientOf(caller: Pick<Caller, "workspaceId">): (() => boolean) | undefined {
  return clients.get(caller as Caller);
}
