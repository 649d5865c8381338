import type { IncomingMessage } from "node:http";
import type { Service } from "moleculer";
import type { Caller } from "../../base/contract/caller.ts";
import type { SavedResponse } from "../../base/contract/claim.ts";
import type { ApiError } from "../../base/contract/errors.ts";
import type { Decision } from "../../base/contract/rate-windows.ts";
import type { Schemas } from "./action/schemas.ts";
import type { Admission } from "./admission/admission.ts";
import type { AnswerShare } from "./admission/answer-share.ts";
import type { Pace } from "./admission/pace.ts";
import type { Quotas } from "./identity/quota.ts";
import type { Tenants } from "./identity/tenants.ts";
import type { Workers } from "./large/workers.ts";
import type { Observer } from "./observation/observer.ts";
import type { ParamsSchema } from "./operation/input.ts";
import type { Matcher } from "./operation/router.ts";
import type { Pages } from "./pages/pages.ts";
import type { RequestLog } from "./request-log/request-log.ts";
import type { Compression } from "./response/compression.ts";
import type { CursorSeal } from "./response/cursor.ts";
import type { Unsent } from "./response/unsent.ts";
import type { Streams } from "./stream/streams.ts";

/** Parts of the gateway service that the stages of the pipeline need. */
export interface Gateway extends Matcher {
  publicUrl: string;
  logger: Service["logger"];
  /** Whether the process is about to stop, so that every answer asks its client to close the connection. */
  isDraining(): boolean;
  admission: Admission;
  /** When requests are begun. */
  starts: Pace;
  /** When requests are refused that cannot be begun. They have a pace of their own: a refused client sends the next at once. */
  refusals: Pace;
  /** When pages are begun, for which nobody needs a key. */
  pageStarts: Pace;
  tenants: Tenants;
  /** The address that a request comes from. */
  addressOf(request: IncomingMessage): string;
  /** The user behind an API key, or null for one that is not valid. */
  identify(key: string): Promise<Caller | null> | Caller;
  /** Whether an API key that is not valid was valid once and has expired. */
  isExpired(key: string): Promise<boolean>;
  /** Counts a request without a valid key: the 429 when its address has had too many of them, or null. */
  countRefusal(request: IncomingMessage): ApiError | null;
  /** Undefined when limits are off. */
  quotas: Quotas | undefined;
  /** Counts a request of a user against the quotas, or says why it is refused; null when limits are off. */
  countRequest(caller: Caller, timeoutMs: number): Promise<Decision | null>;
  /** Workers that run off the event loop. */
  workers: Workers;
  /** Time for which saved responses are kept. */
  idempotencyTtlS: number;
  /**
   * The response that is saved under an Idempotency-Key, or null.
   * @throws ApiError 503 when that cannot be known
   */
  findSaved(caller: Caller, key: string, timeoutMs: number): Promise<SavedResponse | null>;
  /** The schemas of an action's params; none as long as no service has announced the action. */
  schemasOf(action: string): Schemas;
  /**
   * @param calling `schema` is the one that the params were made for; where they are known to fit it, `isJudged`, they are not
   * judged by it again in this process
   */
  call(
    action: string,
    params: object,
    calling: { caller: Caller; requestId: string; timeoutMs: number; schema: ParamsSchema; isJudged: boolean },
  ): Promise<unknown>;
  /** Makes the cursors of all lists but the feed of events. */
  seal: CursorSeal;
  /** Makes the cursors of the feed and the ids of its stream. */
  feedSeal: CursorSeal;
  /** Undefined until the gateway has started. */
  streams: Pick<Streams, "open"> | undefined;
  /** Log of answered requests with a key. */
  requestLog: RequestLog;
  /** The bytes of answers that are still to be sent. */
  unsent: Unsent;
  /** Compresses large answers. */
  compression: Compression;
  /** Sees every request once when it comes and once when it is over. */
  observer: Observer;
  answerShare: AnswerShare;
  pages: Pages;
}
