import { type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { showGauge } from "../../../base/budgets/gauges.ts";
import { countRefusal } from "../observation/http-metrics.ts";

/** Maximum numbers of connections, of one address and of all. docs/guides/under-load.md */
interface Bounds {
  perAddressMax: number;
  max: number;
  /** The address of a connection as it counts; null for one of a proxy, behind which there are many clients. */
  addressOf(socket: Socket): string | null;
  /** Is told of bytes that were no request, with the status that they were answered with. */
  refused?(status: number): void;
}

interface Connection {
  socket: Socket;
  peer: Peer;
  /** Number of requests on it that are not answered yet. */
  unanswered: number;
  /** The answer to the last request. */
  last: CountedResponse | undefined;
  /** Work with the bytes behind the last request, for when all before them are answered. */
  afterwards: (() => void) | undefined;
}

interface Peer {
  count: number;
  /** Whether it may have as many as there are places. */
  isProxy: boolean;
  /** Those without a request, the one that has had none for the longest first. */
  idle: Set<Connection>;
}

type ParseError = Error & { code?: string };
type Connected = Socket & { [CONNECTION]?: Connection };

/** Member in which a socket keeps its connection. A WeakMap would cost each request more. */
const CONNECTION = Symbol("connection");

/**
 * The status that was sent in the place of an answer, since the rest of its request cannot be read; undefined for most.
 */
export function bareStatusOf(response: ServerResponse & { bareStatus?: number }): number | undefined {
  return response.bareStatus;
}

/** Number of requests on a socket that are not answered yet. */
export function unansweredOn(socket: Connected): number {
  return socket[CONNECTION]?.unanswered ?? 0;
}

/** Answers of Node to bytes that are no request. They have neither body nor headers of ours. */
const BARE_ANSWERS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Keeps count of the connections of a server, so that no client takes those of others: each address may have a part of
 * all, and when no place is left for a new connection, the one that has been idle for the longest makes room. It is one
 * of the same address when this has all that it may have, else one of the address that has the most. A connection with
 * a request under way is never closed for another. docs/guides/under-load.md
 */
export function createConnections({ perAddressMax, max, addressOf, refused }: Bounds) {
  const peers = new Map<string | null, Peer>();
  let count = 0;

  function open(socket: Connected): void {
    // A connection whose upgrade is ignored comes here a second time (upgrades.ts).
    if (socket[CONNECTION]) return;
    const address = addressOf(socket);
    const peer = peers.get(address) ?? { count: 0, isProxy: address === null, idle: new Set() };
    if (!hasRoom(peer)) {
      countRefusal("connections");
      socket.destroy();
      return;
    }
    const connection = { socket, peer, unanswered: 0, last: undefined, afterwards: undefined };
    socket[CONNECTION] = connection;
    peers.set(address, peer);
    peer.count += 1;
    peer.idle.add(connection);
    count += 1;
    // A connection on which nothing was ever sent is destroyed as soon as its client closes it. Node would first end
    // its own side, which costs as much again, and ten thousand may be closed at the same moment.
    socket.prependOnceListener("end", () => {
      if (socket.bytesRead === 0) socket.destroy();
    });
    socket.once("close", () => {
      count -= 1;
      peer.count -= 1;
      peer.idle.delete(connection);
      if (peer.count === 0) peers.delete(address);
    });
  }

  /** True if there is a place for one more connection of this address, if need be that of another connection of it. */
  function hasRoom(peer: Peer): boolean {
    const isOverItsPart = !peer.isProxy && peer.count >= perAddressMax;
    if (!isOverItsPart && count < max) return true;
    const [idlest] = (isOverItsPart ? peer : largestWithIdle())?.idle ?? [];
    if (!idlest) return false;
    // `close` comes in a later turn of the event loop, and the next one that needs a place must not find it again.
    idlest.peer.idle.delete(idlest);
    idlest.socket.destroy();
    return true;
  }

  /** The address that has the most connections, among those that have idle ones. */
  function largestWithIdle(): Peer | undefined {
    let largest: Peer | undefined;
    for (const peer of peers.values()) {
      if (peer.idle.size > 0 && (!largest || peer.count > largest.count)) largest = peer;
    }
    return largest;
  }

  /** Counts the connections of a server, and answers what it cannot parse. */
  function watch(server: Server): void {
    const ended = showGauge("contact_workspace_connections", {}, () => count);
    server
      .on("connection", open)
      .on("clientError", (fault: ParseError, socket: Socket) => refuseBytes(fault, socket, refused))
      .on("close", ended);
  }

  return { watch, ServerResponse: CountedResponse as typeof ServerResponse };
}

/** An answer by which its connection knows whether a request is under way. */
class CountedResponse extends ServerResponse {
  /** The status that was sent in its place, since the rest of its request cannot be read. */
  bareStatus?: number;

  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    const [request] = args;
    const connection = (request.socket as Connected)[CONNECTION];
    if (!connection) return;
    connection.unanswered += 1;
    connection.last = this;
    connection.peer.idle.delete(connection);
  }

  /** Called by Node when the last byte of the answer has left. */
  override detachSocket(socket: Connected): void {
    super.detachSocket(socket);
    const connection = socket[CONNECTION];
    if (!connection) return;
    connection.unanswered -= 1;
    if (connection.afterwards && owed(connection) === 0) process.nextTick(connection.afterwards);
    if (connection.unanswered > 0 || socket.destroyed) return;
    // An answered request is not kept in memory.
    connection.last = undefined;
    connection.peer.idle.add(connection);
  }
}

/** Number of answers that a connection still gets. If a body has broken off, the rest of its request never comes. */
function owed({ unanswered, last }: Connection): number {
  return last && !last.req.complete ? unanswered - 1 : unanswered;
}

/**
 * Answers bytes that are no request, and closes the connection. Requests that came before them are answered first: the
 * client would else take an error for the answer to one that was carried out.
 */
function refuseBytes(fault: ParseError, socket: Socket, refused: Bounds["refused"]): void {
  whenAnswered(socket, () => {
    const begun = (socket as Connected)[CONNECTION]?.last;
    const status = refuse(socket, fault, begun);
    // A request that was begun has an end of its own, which is reported by itself.
    if (status !== undefined && !begun) refused?.(status);
  });
}

/**
 * Does something with a connection when the requests that have come on it are answered: at once when none is under way,
 * and not at all when something else is to be done already.
 */
export function whenAnswered(socket: Connected, work: () => void): void {
  const connection = socket[CONNECTION];
  if (!connection || !socket.writable || owed(connection) === 0) work();
  else
    connection.afterwards ??= () => {
      connection.afterwards = undefined;
      work();
    };
}

/** @returns the status that was sent; undefined when none was */
function refuse(socket: Socket, fault: ParseError, begun?: CountedResponse): number | undefined {
  const line = BARE_ANSWERS[fault.code ?? ""] ?? "400 Bad Request";
  const isSent = socket.writable && !begun?.headersSent && socket.bytesRead > 0;
  if (socket.writable && !begun?.headersSent) socket.write(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
  // A client that has closed in the middle of a body gets no answer.
  if (isSent && begun && fault.code !== "HPE_INVALID_EOF_STATE") begun.bareStatus = Number.parseInt(line, 10);
  // Bytes that were written leave first, be they the answer to an earlier request.
  if (socket.writable) socket.destroySoon();
  else socket.destroy(fault);
  return isSent ? Number.parseInt(line, 10) : undefined;
}
