import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { unavailable } from "../../base/contract/errors.ts";
import type { Env } from "../../config/env.ts";
import { openExchange } from "./connection/exchange.ts";
import { httpServer } from "./connection/server.ts";
import { createTenants } from "./identity/tenants.ts";
import { errorReply, type Reply, send, textReply } from "./response/reply.ts";

const STARTING = unavailable("The server is starting. Try again.");

/**
 * Makes the server that holds the port while the process waits for its database or bus. It answers 200 to `/livez`, and
 * the 503 of every other answer of the server to all else, so that clients read it as usual and try again. It does not
 * listen yet. docs/guides/running.md#starting
 */
export function serverOfStart(env: Pick<Env, "trustedProxies" | "publicUrl">): Server {
  const unknown = { find: () => undefined, tenants: createTenants() };

  function replyTo(path: string, id: string): Reply {
    if (path === "/livez") return textReply(200, "ok");
    return path === "/readyz" ? textReply(503, "starting") : errorReply(STARTING, id, env.publicUrl);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const exchange = openExchange(unknown, request, response);
    send(exchange, replyTo(exchange.path, exchange.id), true);
  }

  return httpServer(env, { receive: answer, refuse: answer, refused: () => undefined });
}
