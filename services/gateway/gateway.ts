import type { IncomingMessage } from "node:http";
import type { Service } from "moleculer";
import type { Caller } from "../../lib/contract/caller.ts";
import type { SavedResponse } from "../../lib/contract/claim.ts";
import type { ApiError } from "../../lib/contract/errors.ts";
import type { Decision } from "../../lib/rate-limits/windows.ts";
import type { Admission } from "./admission/admission.ts";
import type { Pace } from "./admission/pace.ts";
import type { Quotas } from "./identity/quota.ts";
import type { ParamsSchema } from "./operation/input.ts";
import type { Matcher } from "./operation/router.ts";
import type { CursorSeal } from "./response/cursor.ts";
import type { Reply } from "./response/reply.ts";

/** What the stages of the pipeline need of the gateway service. */
export interface Gateway extends Matcher {
  publicUrl: string;
  logger: Service["logger"];
  /** Whether the process is about to stop: every answer then asks its client to close the connection. */
  isDraining(): boolean;
  admission: Admission;
  /** When requests are begun, and when others are refused. A refused client sends its next request at once. */
  starts: Pace;
  refusals: Pace;
  identify(key: string): Promise<Caller | null> | Caller;
  /** What a request without a valid key is answered with. */
  refuse(request: IncomingMessage): ApiError;
  /** Undefined when limits are off. */
  quotas: Quotas | undefined;
  take(caller: Caller): Promise<Decision | null>;
  /** How long saved responses are kept. */
  idempotencyTtlS: number;
  /** The response that is saved under an Idempotency-Key; 503 when that cannot be known. */
  look(caller: Caller, key: string): Promise<SavedResponse | null>;
  /** The params schema of an action; undefined while nobody has announced it yet. */
  schemaOf(action: string): ParamsSchema | undefined;
  call(action: string, params: object, caller: Caller, requestId: string): Promise<unknown>;
  seal: CursorSeal;
  /** Pages without a key, which are no part of the API: probes, documentation. Undefined for other paths. */
  page(method: string, path: string): Promise<Reply> | Reply | undefined;
}
