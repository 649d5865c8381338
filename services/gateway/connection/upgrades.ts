import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { whenAnswered } from "./connections.ts";

/**
 * Serves requests that ask for another protocol, such as `Upgrade: h2c`, as if they had not asked (RFC 9110, 7.8). Node's parser
 * stops behind the head of such a request and drops what has come behind it, so a body or the next request would never be
 * answered. So the connection begins anew, with the same bytes without that header.
 */
export function ignoreUpgrades(server: Server): void {
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
export function refuseTunnels(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => socket.destroySoon());
    socket.on("error", () => socket.destroy());
    answer(request, response);
  });
}
