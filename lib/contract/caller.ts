import type { Claim } from "./claim.ts";

/** Who makes a request: the user behind the API key, or behind the command line. Travels in ctx.meta.caller. */
export interface Caller {
  workspaceId: string;
  userId: string;
  keyId: string;
  access: "full" | "read";
  /** The Idempotency-Key of the request, for the transaction that does its work. */
  claim?: Claim;
}
