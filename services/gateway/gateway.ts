import type { ServiceBroker } from "moleculer";
import type { Caller } from "../../base/contract/caller.ts";
import type { SavedResponse } from "../../base/contract/claim.ts";
import { ApiError } from "../../base/contract/errors.ts";
import type { Decision } from "../../base/contract/rate-windows.ts";
import { MADE_FOR, VALIDATED_BY } from "../../base/contract/validate.ts";
import { isAway } from "../../bus/away.ts";
import { NOT_ON } from "../../bus/fitting-node.ts";
import { createRepeats, type Repeats } from "../../bus/repeats.ts";
import { RETRY_AFTER_S } from "../../config/limits.ts";
import { PER_TURN } from "../../config/shares.ts";
import { hashOf, isKey } from "../../engine/secrets/api-keys.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import type { ActionCalls } from "./action/execute.ts";
import { schemaFinder } from "./action/schemas.ts";
import { createAdmission } from "./admission/admission.ts";
import { createAnswerShare } from "./admission/answer-share.ts";
import { createTurnLimit } from "./admission/turn-limit.ts";
import { createWorkers } from "./body-worker/workers.ts";
import { addressReader } from "./identity/address.ts";
import { keyGuard } from "./identity/guard.ts";
import { createIdentifier } from "./identity/identify.ts";
import { createQuotas } from "./identity/quota.ts";
import { createTenants } from "./identity/tenants.ts";
import { createObserver } from "./observation/observer.ts";
import { createMatcher } from "./operation/router.ts";
import { routes } from "./operation/routes.ts";
import { pages } from "./pages/pages.ts";
import { requestLogOf } from "./request-log/request-log.ts";
import { createCompression } from "./response/compression.ts";
import { createSeal } from "./response/cursor.ts";
import { createEncryptedSeal } from "./response/encrypted-cursor.ts";
import { createUnsent } from "./response/unsent.ts";
import type { Streams } from "./stream/streams.ts";

/** Stands for the secret of cursors until it is read from the database, when the gateway starts. */
const UNREAD_SECRET = Buffer.alloc(0);

/** The parts of all stages of the pipeline, each of which declares what it needs of them. */
export type Gateway = ReturnType<typeof createGateway>;

/** @param isClosing whether the server takes no further connections */
export function createGateway(
  { env, database, accessLog }: ServiceContext,
  broker: ServiceBroker,
  isClosing: () => boolean,
) {
  const addressOf = addressReader(env.trustedProxies);
  const repeats = createRepeats(broker);

  return {
    publicUrl: env.publicUrl,
    logger: broker.logger,
    /**
     * Whether the process or the gateway is about to stop, so that every answer asks its client to close the
     * connection.
     */
    isDraining: () => broker.metadata.draining === true || isClosing(),
    admission: createAdmission(),
    starts: createTurnLimit(PER_TURN.requests),
    /**
     * When requests are refused that cannot be begun. They have a pace of their own: a refused client sends the next at
     * once.
     */
    refusals: createTurnLimit(PER_TURN.refusals),
    pageStarts: createTurnLimit(PER_TURN.pages),
    tenants: createTenants(),
    addressOf,
    identify: createIdentifier((key) => findCaller(repeats, key)),
    isExpired: (key: string) => isExpired(broker, key),
    countRefusal: keyGuard(env, addressOf),
    quotas: env.rateLimits === "off" ? undefined : createQuotas({ ...env.rateLimits }),
    countRequest: ({ workspaceId, userId }: Caller, timeout: number) =>
      broker.call<Decision | null, object>("ratelimit.countRequest", { workspaceId, userId }, { timeout }),
    workers: createWorkers(),
    idempotencyTtlS: env.idempotencyTtlS,
    ...createMatcher(routes),
    schemasOf: schemaFinder(broker),
    ...actionCalls(broker, repeats, env.publicUrl),
    requestLog: requestLogOf(database),
    unsent: createUnsent(),
    compression: createCompression(),
    observer: createObserver(accessLog),
    answerShare: createAnswerShare(),
    pages: pages({ env, broker, database }),
    /** Makes the cursors of all lists but the feed of events. */
    seal: createSeal(UNREAD_SECRET),
    /** Makes the cursors of the feed and the ids of its stream. */
    feedSeal: createEncryptedSeal(UNREAD_SECRET),
    /** Undefined until the gateway has started. */
    streams: undefined as Streams | undefined,
  };
}

function actionCalls(broker: ServiceBroker, repeats: Repeats, publicUrl: string): ActionCalls {
  const answer = { publicUrl };
  return {
    avoid: repeats.avoid,
    findSaved: (caller, key, timeout) => findSaved(repeats, caller, key, timeout),
    call(action, params, { caller, requestId: requestID, trace, timeoutMs: timeout, schema, isJudged, notOn }) {
      const judgedBy = isJudged ? schema : undefined;
      const meta = trace ? { caller, answer, trace } : { caller, answer };
      const where = { [MADE_FOR]: schema, [VALIDATED_BY]: judgedBy, [NOT_ON]: notOn };
      repeats.noted();
      return broker.call(action, params, { meta, requestID, timeout, ...where });
    },
  };
}

/**
 * The user behind an API key, or null. A text that is no key is recognised here, and of a key only the hash leaves this
 * process. docs/guides/access.md#api-keys
 */
async function findCaller(repeats: Repeats, key: string): Promise<Caller | null> {
  if (!isKey(key)) return null;
  return repeats.call<Caller | null>("keys.identify", { hash: hashOf(key).toString("hex") });
}

/**
 * True if a key has expired. The 401 only has a different text then, and is also answered while a service of an older
 * release cannot say it.
 */
function isExpired(broker: ServiceBroker, key: string): Promise<boolean> {
  const hash = hashOf(key).toString("hex");
  return broker.call<boolean, { hash: string }>("keys.isExpired", { hash }).catch((error: Error) => {
    broker.logger.debug("Whether a key has expired could not be told:", error.message);
    return false;
  });
}

/**
 * The response that is saved under an Idempotency-Key of a user, or null. docs/guides/idempotency.md#crashes
 * @throws ApiError 503 when the saved responses cannot be looked up, so that the request must not be run
 */
async function findSaved(
  repeats: Repeats,
  { workspaceId, userId }: Caller,
  key: string,
  timeout: number,
): Promise<SavedResponse | null> {
  try {
    const claim = { workspaceId, userId, key };
    return await repeats.call<SavedResponse | null>("idempotency.findSaved", claim, { timeout });
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = "The Idempotency-Key could not be claimed and nothing was processed. Try again with the same key.";
    throw new ApiError("IDEMPOTENCY_UNAVAILABLE", message, undefined, { "Retry-After": String(RETRY_AFTER_S) });
  }
}
