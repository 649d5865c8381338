import type { Context, ServiceSchema } from "moleculer";
import ApiGateway, { type ApiSettingsSchema } from "moleculer-web";
import { loadSecret } from "../../engine/secrets/shared-secret.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import type { Woken } from "../../mixins/polling.mixin.ts";
import { listenWidely } from "./connection/listeners.ts";
import { httpServer } from "./connection/server.ts";
import { createGateway, type Gateway } from "./gateway.ts";
import { routes } from "./operation/routes.ts";
import { fail, receive } from "./pipeline.ts";
import { createSeal } from "./response/cursor.ts";
import { createEncryptedSeal } from "./response/encrypted-cursor.ts";
import { createStreams } from "./stream/streams.ts";

/**
 * Serves HTTP: keys, limits, checks and answers. moleculer-web opens the port and lists the routes; the server that it
 * gets hands every request to pipeline.ts, because moleculer-web cannot check the key before the path and read the body
 * after both. docs/decisions/0001-layout.md
 */
export default function gatewayService(context: ServiceContext): ServiceSchema<ApiSettingsSchema> {
  const { env, database } = context;
  let gateway: Gateway;

  return {
    name: "gateway",
    mixins: [ApiGateway as unknown as Partial<ServiceSchema<ApiSettingsSchema>>],
    dependencies: [],
    settings: {
      port: env.port,
      ip: env.host,
      logRouteRegistration: null,
      routes: [{ path: "/", bodyParsers: false, aliases: Object.fromEntries(routes.map(aliasOf)) }],
    } as ApiSettingsSchema,
    methods: {
      /** Takes the place of the method of moleculer-web: the one place where it is bypassed. */
      createServer() {
        this.server = httpServer(env, {
          receive: (request, response) => receive(gateway, request, response),
          refuse: (request, response, error) => fail(gateway, request, response, error),
          refused: (status) => gateway.observer.unreadable(status),
        });
        listenWidely(this.server);
        gateway = createGateway(context, this.broker, () => !this.server.listening);
      },
      makePages: () => gateway.pages.make(),
    },
    async started() {
      const secret = await loadSecret(database, "cursor");
      gateway.seal = createSeal(secret);
      gateway.feedSeal = createEncryptedSeal(secret);
      const source = storeOf(database, "event streams");
      gateway.streams = createStreams({ ...gateway, seal: gateway.feedSeal, source });
    },
    events: { "log.appended": (ctx: Context<Woken>) => gateway.streams?.wake(ctx.params.workspaces) },
    // Before the method of moleculer-web, which finds the server closed: requests that are running need the workers,
    // and are logged.
    async stopped() {
      await gateway.streams?.stop();
      await new Promise((closed) => this.server.close(closed));
      await gateway.workers.stop();
      gateway.observer.flush();
    },
  };
}

function aliasOf({ method, path, action }: (typeof routes)[number]): [string, string] {
  return [`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, action];
}
