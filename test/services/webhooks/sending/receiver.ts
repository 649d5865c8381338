import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";

/** A request as a receiver got it. */
export interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  json: { id: string; type: string; data: { id: string } };
}

/** Answers a request, or does not. */
export type Answerer = (response: ServerResponse, received: Received, count: number) => void;

/** A receiver of webhooks, by paths. */
export interface Receiver {
  url: string;
  received: Received[];
  /** How the requests of a path are answered; 200 unless told otherwise. `count` counts those of the path from 1. */
  answer(path: string, answerer: Answerer): void;
  /** What came to a path, in the order of arrival. */
  at(path: string): Received[];
  stop(): Promise<void>;
}

/** The address that the tests allow. The canaries are on others. */
export const RECEIVER_HOST = "127.0.0.2";

export const answerStatus =
  (status: number, headers: Record<string, string> = {}, body = ""): Answerer =>
  (response) =>
    response.writeHead(status, headers).end(body);

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answerers = new Map<string, Answerer>();
  const at = (path: string) => received.filter((one) => one.path === path);
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { url: path = "", headers } = request;
    const one = { path, headers, body, json: JSON.parse(body.toString()) };
    received.push(one);
    (answerers.get(path) ?? answerStatus(200))(response, one, at(path).length);
  };
  // A request that breaks off in the middle is none.
  const server = createServer((request, response) => void serve(request, response).catch(() => undefined));
  await listen(server, RECEIVER_HOST);
  const url = `http://${RECEIVER_HOST}:${portOf(server)}`;
  const answer = (path: string, answerer: Answerer) => void answerers.set(path, answerer);
  return { url, received, answer, at, stop: () => stopServer(server) };
}

/** A server that does with each connection what the test says. */
export async function startRaw(
  serve: (socket: Socket, count: number) => void,
): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    count += 1;
    serve(socket, count);
  });
  await listen(server, RECEIVER_HOST);
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: portOf(server), stop };
}

export function listen(server: Server | TcpServer, host: string, port = 0): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

export function portOf(server: Server | TcpServer): number {
  return (server.address() as AddressInfo).port;
}

async function stopServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
