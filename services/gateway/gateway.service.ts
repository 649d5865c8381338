import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import ApiGateway, { type ApiSettingsSchema } from "moleculer-web";
import type { Caller } from "../../base/contract/caller.ts";
import type { SavedResponse } from "../../base/contract/claim.ts";
import { ApiError } from "../../base/contract/errors.ts";
import type { Decision } from "../../base/contract/rate-windows.ts";
import { JUDGED_BY, MADE_FOR } from "../../base/contract/validate.ts";
import { isAway } from "../../bus/away.ts";
import { RETRY_AFTER_S } from "../../config/limits.ts";
import { hashOf, isKey } from "../../engine/secrets/api-keys.ts";
import { loadSecret } from "../../engine/secrets/shared-secret.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ServiceContext } from "../../mixins/service-context.ts";
import { schemaFinder } from "./action/schemas.ts";
import { createAdmission } from "./admission/admission.ts";
import { createAnswerShare } from "./admission/answer-share.ts";
import { createPace } from "./admission/pace.ts";
import { listenWidely } from "./connection/listeners.ts";
import { httpServer } from "./connection/server.ts";
import type { Gateway } from "./gateway.ts";
import { addressReader } from "./identity/address.ts";
import { keyGuard } from "./identity/guard.ts";
import { createIdentifier } from "./identity/identify.ts";
import { createQuotas } from "./identity/quota.ts";
import { createTenants } from "./identity/tenants.ts";
import { createWorkers } from "./large/workers.ts";
import { createObserver } from "./observation/observer.ts";
import { createMatcher } from "./operation/router.ts";
import { routes } from "./operation/routes.ts";
import { pages } from "./pages/pages.ts";
import { fail, receive, serve } from "./pipeline.ts";
import { requestLogOf } from "./request-log/request-log.ts";
import { createCompression } from "./response/compression.ts";
import { createSeal } from "./response/cursor.ts";
import { createEncryptedSeal } from "./response/encrypted-cursor.ts";
import { createUnsent } from "./response/unsent.ts";
import { createStreams, type Streams } from "./stream/streams.ts";

/**
 * Number of requests begun in one turn of the event loop, and of others refused in it. Together they take some ten
 * milliseconds, with the answers to as many that were begun before. docs/decisions/0009-overload.md
 */
const STARTS_PER_TURN = 16;
const REFUSALS_PER_TURN = 12;
/** The same of pages, some of which are as large as a hundred records. */
const PAGES_PER_TURN = 4;

/**
 * Serves HTTP: keys, limits, checks and answers. moleculer-web listens and holds the routes. What happens to a request is in
 * pipeline.ts, because moleculer-web cannot check the key before the path and read the body after both.
 */
export default function gatewayService(context: ServiceContext): ServiceSchema<ApiSettingsSchema> {
  const { env } = context;
  let gateway: Gateway;
  let streams: Streams | undefined;

  return {
    name: "gateway",
    mixins: [ApiGateway as unknown as Partial<ServiceSchema<ApiSettingsSchema>>],
    dependencies: [],
    settings: {
      port: env.port,
      ip: env.host,
      // Stops moleculer-web's own header, which makes writing headers 50 % slower.
      rootCallOptions: { requestID: "" },
      logRequest: null,
      logResponse: null,
      logRouteRegistration: null,
      routes: [
        {
          path: "/",
          mappingPolicy: "restrict",
          bodyParsers: false,
          mergeParams: false,
          aliases: Object.fromEntries(routes.map(aliasOf)),
        },
      ],
    } as ApiSettingsSchema,
    methods: {
      createServer() {
        this.server = httpServer(env, {
          receive: (request, response) =>
            receive(gateway, request, response, () => void this.httpHandler(request, response)),
          refuse: (request, response, error) => fail(gateway, request, response, error),
          refused: (status) => gateway.observer.unreadable(status),
        });
        listenWidely(this.server);
        this.isHTTPS = false;
      },
      // The pipeline reads the raw query itself, because the parser of moleculer-web makes an object of a parameter that is
      // repeated more than 20 times.
      makePages: () => gateway.pages.make(),
      parseQueryString: ({ url = "/" }: IncomingMessage) => ({ url: url.split("?", 1)[0], query: {} }),
      // Every request gets the same alias, and so reaches the pipeline, which finds the route by itself (operation/router.ts):
      // the key is checked before the path, and the regular expressions of moleculer-web take paths in any letter case.
      resolveAlias() {
        return { alias: this.aliases[0], params: {} };
      },
      aliasHandler: (request: IncomingMessage, response: ServerResponse) =>
        serve(gateway, request, response).then(() => true),
      send404: (request: IncomingMessage, response: ServerResponse) => serve(gateway, request, response),
      errorHandler: (request: IncomingMessage, response: ServerResponse, error: Error) =>
        fail(gateway, request, response, error),
    },
    created() {
      gateway = createGateway(context, this.broker, Buffer.alloc(0));
    },
    async started() {
      gateway = createGateway(context, this.broker, await loadSecret(context.database, "cursor"), gateway);
      streams = createStreams({
        ...gateway,
        seal: gateway.feedSeal,
        source: storeOf(context.database, "event streams"),
      });
      gateway.streams = streams;
    },
    events: { "events.published": () => streams?.wake() },
    // Before moleculer-web waits until all connections are closed.
    async stopped() {
      await streams?.stop();
      await gateway.workers.stop();
      gateway.observer.flush();
    },
  };
}

function aliasOf({ method, path, action }: (typeof routes)[number]): [string, string] {
  return [`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, action];
}

function createGateway(
  { env, database, accessLog }: ServiceContext,
  broker: ServiceBroker,
  secret: Buffer,
  { compression, observer }: Pick<Gateway, "compression" | "observer"> = {
    compression: createCompression(),
    observer: createObserver(accessLog),
  },
): Gateway {
  const addressOf = addressReader(env.trustedProxies);

  return {
    publicUrl: env.publicUrl,
    isDraining: () => broker.metadata.draining === true,
    logger: broker.logger,
    seal: createSeal(secret),
    feedSeal: createEncryptedSeal(secret),
    streams: undefined,
    admission: createAdmission(),
    starts: createPace(STARTS_PER_TURN),
    refusals: createPace(REFUSALS_PER_TURN),
    pageStarts: createPace(PAGES_PER_TURN),
    tenants: createTenants(),
    addressOf,
    unsent: createUnsent(),
    compression,
    observer,
    answerShare: createAnswerShare(),
    identify: createIdentifier((key) => findCaller(broker, key)),
    isExpired: (key) => isExpired(broker, key),
    countRefusal: keyGuard(env, addressOf),
    quotas: env.rateLimits === "off" ? undefined : createQuotas({ ...env.rateLimits }),
    countRequest: ({ workspaceId, userId }, timeout) =>
      broker.call<Decision | null, object>("ratelimit.countRequest", { workspaceId, userId }, { timeout }),
    workers: createWorkers(),
    idempotencyTtlS: env.idempotencyTtlS,
    findSaved: (caller, key, timeout) => findSaved(broker, caller, key, timeout),
    ...createMatcher(routes),
    schemasOf: schemaFinder(broker),
    call(action, params, { caller, requestId: requestID, timeoutMs: timeout, schema, isJudged }) {
      const judgedBy = isJudged ? schema : undefined;
      const options = { meta: { caller }, requestID, timeout, [MADE_FOR]: schema, [JUDGED_BY]: judgedBy };
      return broker.call(action, params, options);
    },
    requestLog: requestLogOf(database),
    pages: pages({ env, broker, database }),
  };
}

/**
 * The user behind an API key, or null. A text that is no key is recognised here, and of a key only the hash leaves this
 * process. docs/guides/access.md#api-keys
 */
async function findCaller(broker: ServiceBroker, key: string): Promise<Caller | null> {
  if (!isKey(key)) return null;
  return broker.call<Caller | null, { hash: string }>("keys.identify", { hash: hashOf(key).toString("hex") });
}

/** Whether a key has expired. It is a word more in a 401, which is answered also while a service of an older release cannot tell. */
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
  broker: ServiceBroker,
  { workspaceId, userId }: Caller,
  key: string,
  timeout: number,
): Promise<SavedResponse | null> {
  try {
    const claim = { workspaceId, userId, key };
    return await broker.call<SavedResponse | null, object>("idempotency.findSaved", claim, { timeout });
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = "The Idempotency-Key could not be claimed and nothing was processed. Try again with the same key.";
    throw new ApiError("IDEMPOTENCY_UNAVAILABLE", message, undefined, { "Retry-After": String(RETRY_AFTER_S) });
  }
}
