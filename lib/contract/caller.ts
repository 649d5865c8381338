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
