import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Env } from "../../../config/env.ts";
import {
  BODY_WAIT_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  HEAD_BYTES_MAX,
  HEADERS_WAIT_MS,
} from "../../../config/limits.ts";
import { peerReader } from "../identity/address.ts";
import { unknownPath } from "../operation/router.ts";
import { requestsOfGatheredChunks } from "./chunks.ts";
import { createConnections } from "./connections.ts";
import { continueOnReading } from "./expectations.ts";
import { headFault } from "./head.ts";
import { ignoreUpgrades, refuseTunnels } from "./upgrades.ts";

/**
 * Longest time that a connection stays idle. Load balancers usually close theirs sooner, so that they do not send a
 * request on one that is just being closed here. docs/guides/growing.md#proxies
 */
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 1000;
/**
 * A connection on which nothing moves for this time is closed, whatever it is in the middle of. Its client may never
 * read the answer. docs/guides/limits.md#under-load
 */
const SILENCE_MS = 75_000;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Answering {
  /** Takes a request whose head is in order. */
  receive: Listener;
  /** Answers a request with an error. */
  refuse(request: IncomingMessage, response: ServerResponse, error: Error): void;
  /** Is told of bytes that were no request, with the status that they were answered with. */
  refused(status: number): void;
}

/** The HTTP server of a gateway, up to where a request is handed on. It does not listen yet. */
export function httpServer(
  { trustedProxies }: Pick<Env, "trustedProxies">,
  { receive, refuse, refused }: Answering,
): Server {
  const connections = createConnections({
    max: CONNECTIONS_MAX,
    perAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
    addressOf: peerReader(trustedProxies),
    refused,
  });
  const listener: Listener = (request, response) => {
    const fault = headFault(request);
    if (fault) refuse(request, response, fault);
    else receive(request, response);
  };
  const server = createServer(
    {
      IncomingMessage: requestsOfGatheredChunks(),
      ServerResponse: connections.ServerResponse,
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_WAIT_MS,
      requestTimeout: BODY_WAIT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueOnReading(request, response);
    listener(request, response);
  });
  // A request with an unknown `Expect` is served like any other. Node itself would answer it with a bare 417.
  server.on("checkExpectation", listener);
  connections.watch(server);
  ignoreUpgrades(server);
  refuseTunnels(server, (request, response) => refuse(request, response, unknownPath(request.url ?? "")));
  return server.setTimeout(SILENCE_MS);
}
