import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
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
import { createConnections, whenAnswered } from "./connections.ts";
import { headFault } from "./head.ts";

/**
 * Longest time that a connection stays idle. Load balancers usually close theirs sooner, so that they do not send a
 * request on one that is just being closed here. docs/guides/growing.md#proxies
 */
const KEEP_ALIVE_MS = 65_000;
const CHECK_CONNECTIONS_MS = 1000;
/**
 * A connection on which nothing moves for this time is closed, whatever it is in the middle of. Its client may never
 * read the answer. docs/guides/under-load.md
 */
const SILENCE_MS = 75_000;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Answering {
  /** Takes a request whose head is in order. */
  receive: Listener;
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

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body, when the body is about to be read: a
 * client that is refused because of the head need not send ten megabytes first.
 */
function continueOnReading(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}

/**
 * Serves requests that ask for another protocol, such as `Upgrade: h2c`, as if they had not asked (RFC 9110, 7.8).
 * Node's parser stops behind the head of such a request and drops what has come behind it, so a body or the next
 * request would never be answered. So the connection begins anew, with the same bytes without that header.
 */
function ignoreUpgrades(server: Server): void {
  server.on("upgrade", (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    // Answers that are under way belong to what is over then.
    whenAnswered(socket, () => {
      if (socket.destroyed) return;
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), rest]));
      server.emit("connection", socket);
    });
  });
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  // Node reads heads in this encoding, byte by byte.
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/**
 * Answers CONNECT, which asks a proxy for a tunnel and which Node hands over as a bare socket.
 * @param answer answers it like a request of any unknown path
 */
function refuseTunnels(server: Server, answer: (request: IncomingMessage, response: ServerResponse) => void): void {
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => socket.destroySoon());
    socket.on("error", () => socket.destroy());
    answer(request, response);
  });
}
