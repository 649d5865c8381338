import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import ApiGateway, { type ApiSettingsSchema } from "moleculer-web";
import type { ServiceContext } from "../../actions/service-context.ts";
import { isAway } from "../../bus/away.ts";
import { BODY_WAIT_MS, HEAD_BYTES_MAX, HEADERS_WAIT_MS, RETRY_AFTER_S } from "../../config/limits.ts";
import type { Caller } from "../../lib/contract/caller.ts";
import type { SavedResponse } from "../../lib/contract/claim.ts";
import { ApiError } from "../../lib/contract/errors.ts";
import type { Decision } from "../../lib/rate-limits/windows.ts";
import { createAdmission } from "./admission/admission.ts";
import { createPace } from "./admission/pace.ts";
import { requestsOfGatheredChunks } from "./connection/chunks.ts";
import { listenWidely } from "./connection/listeners.ts";
import type { Gateway } from "./gateway.ts";
import { keyGuard } from "./identity/guard.ts";
import { createIdentifier } from "./identity/identify.ts";
import { createQuotas } from "./identity/quota.ts";
import type { ParamsSchema } from "./operation/input.ts";
import { createMatcher } from "./operation/router.ts";
import { routes } from "./operation/routes.ts";
import { pages } from "./pages/pages.ts";
import { fail, receive, serve } from "./pipeline.ts";
import { type CursorSeal, createSeal } from "./response/cursor.ts";
import { loadSecret } from "./response/secret.queries.ts";

/** A connection may stay idle this long: longer than the usual load balancer keeps it, or it would meet closed ones. */
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 1000;
/** A connection on which nothing moves is closed, whatever it is in the middle of: a client that never reads its answer. */
const SILENCE_MS = 75_000;
/**
 * Requests that are begun in a turn of the event loop, and others that are refused in it: together some ten milliseconds,
 * with the answers to as many that were begun before.
 */
const STARTS_PER_TURN = 16;
const REFUSALS_PER_TURN = 12;

/**
 * The doorman: HTTP, keys, limits and replies. moleculer-web listens and holds the routes; what happens to a request is
 * pipeline.ts, since its order (key before path, body after both) is not the framework's.
 */
export default function gatewayService(context: ServiceContext): ServiceSchema<ApiSettingsSchema> {
  const { env } = context;
  let gateway: Gateway;

  return {
    name: "gateway",
    mixins: [ApiGateway as unknown as Partial<ServiceSchema<ApiSettingsSchema>>],
    dependencies: [],
    settings: {
      port: env.port,
      ip: env.host,
      // With an id the framework sets a header of its own before ours, which makes writing them all half as dear again.
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
        const listener = (request: IncomingMessage, response: ServerResponse) =>
          receive(gateway, request, response, () => void this.httpHandler(request, response));
        this.server = createServer(
          {
            IncomingMessage: requestsOfGatheredChunks(),
            maxHeaderSize: HEAD_BYTES_MAX,
            headersTimeout: HEADERS_WAIT_MS,
            requestTimeout: BODY_WAIT_MS,
            connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
            keepAliveTimeout: KEEP_ALIVE_MS,
          },
          listener,
        );
        // Node's own answer to an expectation that it does not know is a bare 417; it may as well be passed over.
        this.server.on("checkExpectation", listener);
        listenWidely(this.server);
        this.server.setTimeout(SILENCE_MS);
        this.isHTTPS = false;
      },
      // The pipeline reads the raw query itself: the framework's parser turns the 21st repeat of a parameter into an object.
      parseQueryString: ({ url = "/" }: IncomingMessage) => ({ url: url.split("?", 1)[0], query: {} }),
      // Every request takes the way of the pipeline, which has found its route in a tree (operation/router.ts): the key is
      // checked before the path, and the framework's regular expressions take any letter case.
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
      gateway = createGateway(context, this.broker, createSeal(Buffer.alloc(0)));
    },
    async started() {
      gateway = createGateway(context, this.broker, createSeal(await loadSecret(context.database, "cursor")));
    },
  };
}

function aliasOf({ method, path, action }: (typeof routes)[number]): [string, string] {
  return [`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, action];
}

function createGateway({ env, database }: ServiceContext, broker: ServiceBroker, seal: CursorSeal): Gateway {
  const schemas = new Map<string, ParamsSchema>();

  /** From the registry, where the services announce their actions, and kept: a route goes on while its service is away. */
  function schemaOf(action: string): ParamsSchema | undefined {
    let schema = schemas.get(action);
    if (!schema) {
      const [found] = broker.registry.getActionList({ withEndpoints: false }).filter(({ name }) => name === action);
      schema = (found?.action as { params?: ParamsSchema } | undefined)?.params;
      if (schema) schemas.set(action, schema);
    }
    return schema;
  }

  return {
    publicUrl: env.publicUrl,
    isDraining: () => broker.metadata.draining === true,
    logger: broker.logger,
    seal,
    admission: createAdmission(),
    starts: createPace(STARTS_PER_TURN),
    refusals: createPace(REFUSALS_PER_TURN),
    identify: createIdentifier((key) => broker.call<Caller | null, { key: string }>("keys.identify", { key })),
    refuse: keyGuard(env),
    quotas: env.rateLimits === "off" ? undefined : createQuotas({ ...env.rateLimits }),
    take: ({ workspaceId, userId }) => broker.call<Decision | null, object>("ratelimit.take", { workspaceId, userId }),
    idempotencyTtlS: env.idempotencyTtlS,
    look: (caller, key) => look(broker, caller, key),
    ...createMatcher(routes),
    schemaOf,
    call: (action, params, caller, requestID) => broker.call(action, params, { meta: { caller }, requestID }),
    page: pages({ env, broker, database }),
  };
}

/** API document, "Errors", IDEMPOTENCY_UNAVAILABLE: the key could not be claimed, nothing was processed. */
async function look(
  broker: ServiceBroker,
  { workspaceId, userId }: Caller,
  key: string,
): Promise<SavedResponse | null> {
  try {
    return await broker.call<SavedResponse | null, object>("idempotency.look", { workspaceId, userId, key });
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = "The Idempotency-Key could not be claimed and nothing was processed. Try again with the same key.";
    throw new ApiError("IDEMPOTENCY_UNAVAILABLE", message, undefined, { "Retry-After": String(RETRY_AFTER_S) });
  }
}
