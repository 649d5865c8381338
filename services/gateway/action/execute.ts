import { setTimeout as pause } from "node:timers/promises";
import { showTally } from "../../../base/budgets/tally.ts";
import type { Answered } from "../../../base/contract/answer.ts";
import { type Caller, type Source, withClient } from "../../../base/contract/caller.ts";
import type { Claim, SavedResponse } from "../../../base/contract/claim.ts";
import { ApiError, type ErrorCode, isApiError } from "../../../base/contract/errors.ts";
import type { Page } from "../../../base/contract/page.ts";
import type { TraceContext } from "../../../base/tracing/trace-context.ts";
import type { Deadline } from "../admission/deadline.ts";
import type { ParamsSchema } from "./schemas.ts";

/**
 * The result of an action: one thing, a page of a list, or the response that was saved when it ran before.
 */
export type Executed = Answered | { page: Page } | { saved: SavedResponse };

/** Longest time that a repetition waits for its first try. */
const FIRST_TRY_MS = 2_000;
const LOOK_MS = 100;

/** Calls to the services that run actions. */
export interface ActionCalls {
  /**
   * The response that is saved under an Idempotency-Key, or null.
   * @throws ApiError 503 when that cannot be known
   */
  findSaved(caller: Caller, key: string, timeoutMs: number): Promise<SavedResponse | null>;
  /**
   * @param calling `schema` is the one that the params were made for; where they are known to fit it, `isJudged`, they
   *   are not judged by it again in this process. `notOn` is a node that the call avoids when there is another one
   */
  call(
    action: string,
    params: object,
    calling: Pick<Executing, "caller" | "requestId" | "trace" | "schema" | "isJudged"> & {
      timeoutMs: number;
      notOn?: string;
    },
  ): Promise<unknown>;
  /** The node that a repetition of a failed call has to avoid; undefined when it is not to be repeated. */
  avoid(action: string, error: unknown): string | undefined;
}

interface Executing {
  caller: Caller;
  claim: Claim | undefined;
  requestId: string;
  trace: TraceContext | undefined;
  /** The way by which the request came; `api` by default. */
  source?: Source;
  deadline: Pick<Deadline, "callMs">;
  /** True if the client has gone. Work that has not begun by then need not be done. */
  isGone(): boolean;
  /** The schema of the action that the params were made for. */
  schema: ParamsSchema;
  /** Whether the params were found to fit it. */
  isJudged: boolean;
  /** Whether the action changes nothing. */
  isRead: boolean;
}

/**
 * Runs an action for a caller, at most once under the same claim. It knows nothing of HTTP, so that whatever speaks to
 * clients in another way can run the same operations.
 * @param params fit the schema of the action
 * @throws ApiError of the action; 422 for a claim whose key belongs to another request, or whose response was not kept
 */
export function execute(calls: ActionCalls, action: string, params: object, executing: Executing): Promise<Executed> {
  const run = () => executeOnce(calls, action, params, executing);
  return executing.claim ? countOutcome(run) : run();
}

async function executeOnce(
  calls: ActionCalls,
  action: string,
  params: object,
  executing: Executing,
): Promise<Executed> {
  const run = async (notOn?: string) =>
    (await saved(calls, executing)) ?? (await once(calls, action, params, executing, notOn));
  try {
    return await run();
  } catch (error) {
    // A write without a key may have run, and would run twice.
    const mayRunTwice = executing.isRead || executing.claim !== undefined;
    const notOn = mayRunTwice && !executing.isGone() ? calls.avoid(action, error) : undefined;
    if (notOn === undefined) throw error;
    return repeat(() => run(notOn), error, executing);
  }
}

/**
 * Repeats a call whose answer was lost. A write that still runs under the same key is its first try as a rule: its
 * answer is waited for, but not for long. docs/guides/growing.md#several-processes
 * @throws the error of the first try while that runs: a client must not get 409 for a conflict with its own request
 */
async function repeat(run: () => Promise<Executed>, lost: unknown, { isGone }: Executing): Promise<Executed> {
  const untilMs = performance.now() + FIRST_TRY_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isRunning = isApiError(error) && error.type === "IDEMPOTENCY_REQUEST_IN_PROGRESS";
      if (!isRunning) throw error;
      if (isGone() || performance.now() > untilMs) throw lost;
      await pause(LOOK_MS);
    }
  }
}

/** The response that is saved under the claim, if there is one. */
async function saved({ findSaved }: ActionCalls, { caller, claim, deadline }: Executing): Promise<Executed | null> {
  const found = claim && (await findSaved(caller, claim.key, deadline.callMs()));
  return claim && found ? { saved: checked(found, claim) } : null;
}

async function once(
  { call }: ActionCalls,
  action: string,
  params: object,
  { caller, claim, requestId, trace, source, deadline, isGone, schema, isJudged }: Executing,
  notOn: string | undefined,
): Promise<Executed> {
  const result = await call(action, params, {
    caller: withClient({ ...caller, requestId, ...(source && { source }), ...(claim && { claim }) }, isGone),
    requestId,
    trace,
    timeoutMs: deadline.callMs(),
    schema,
    isJudged,
    ...(notOn !== undefined && { notOn }),
  });
  if (typeof result === "string") return { data: result };
  return isAnswered(result) ? result : { page: result as Page };
}

function isAnswered(result: unknown): result is Answered {
  return typeof result === "object" && result !== null && "data" in result;
}

/**
 * The saved response, when it can be sent again. docs/guides/idempotency.md#reuse,
 * docs/guides/idempotency.md#large-answers
 * @throws ApiError 422 when it belongs to another request, was too large to be kept, or was erased with the data of a
 *   person
 */
function checked(saved: SavedResponse, { fingerprint }: Claim): SavedResponse {
  if (saved.fingerprint !== fingerprint)
    throw new ApiError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used for a different request. Use a new key.",
    );
  if (saved.body === null)
    throw new ApiError(
      "IDEMPOTENCY_RESPONSE_NOT_STORED",
      "The request with this Idempotency-Key ran, but its response is not kept: it was too large, or was erased with the data of a person. Read the records to see what it did, or use a new key to run it again.",
    );
  return saved;
}

/** Outcomes of a request with an Idempotency-Key, beside its own result. docs/guides/idempotency.md */
const REFUSED: Partial<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_REUSED: "reused",
  IDEMPOTENCY_REQUEST_IN_PROGRESS: "in_progress",
  IDEMPOTENCY_RESPONSE_NOT_STORED: "not_stored",
  IDEMPOTENCY_UNAVAILABLE: "unavailable",
};

const count = showTally("contact_workspace_idempotency_requests_total", "outcome", [
  "executed",
  "replayed",
  "failed",
  ...Object.values(REFUSED),
]);

/** Runs a request with an Idempotency-Key and counts its outcome: `failed` is an error of the operation itself. */
async function countOutcome<Done extends object>(run: () => Promise<Done>): Promise<Done> {
  try {
    const done = await run();
    count("saved" in done ? "replayed" : "executed");
    return done;
  } catch (error) {
    count((isApiError(error) && REFUSED[error.type]) || "failed");
    throw error;
  }
}
