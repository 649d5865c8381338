import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as Listener, type Socket } from "node:net";

/**
 * Node lets in one connection for each listening socket in a turn of its event loop (libuv 1.52), and under load a turn
 * takes tens of milliseconds: with one socket a thousand clients that come at once wait for a minute.
 */
const LISTENERS = 32;
/** Connections that the system holds until they are let in; of a rush beyond Node's 511 it drops some, whose clients wait for seconds. */
const BACKLOG = 4096;
/** Connections at most; one more is closed at once. An idle one takes some ten kilobytes. */
const CONNECTIONS_MAX = 10_000;

/** Several sockets on one port: Linux shares its connections out among them. Node can ask for it from 23.1 on. */
const SHARES_PORTS = process.platform === "linux" && Number(process.versions.node.split(".")[0]) > 23;

/** Makes `listen` and `close` of a server, which moleculer-web calls, do so on many sockets of the same port. */
export function listenWidely(server: Server): void {
  const further: Listener[] = [];
  const [listen, close] = [server.listen.bind(server), server.close.bind(server)];
  boundConnections(server);

  server.listen = ((port: number, host: string, done: () => void) =>
    listen({ port, host, backlog: BACKLOG, reusePort: SHARES_PORTS }, () => {
      const { port: bound } = server.address() as AddressInfo;
      if (SHARES_PORTS) for (let i = 1; i < LISTENERS; i += 1) further.push(listenFurther(server, bound, host));
      done();
    })) as Server["listen"];

  server.close = ((done?: (error?: Error) => void) => {
    const closed = further.map((one) => new Promise((resolve) => one.close(resolve)));
    return close((error) => void Promise.all(closed).then(() => done?.(error)));
  }) as Server["close"];
}

/** One more socket on the port, whose connections the server serves like its own. */
function listenFurther(server: Server, port: number, host: string): Listener {
  // As node:http makes its own.
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on("connection", (socket: Socket) => server.emit("connection", socket));
  // The server listens with one socket less.
  listener.on("error", () => listener.close());
  return listener.listen({ port, host, backlog: BACKLOG, reusePort: true });
}

/** `maxConnections` counts those of one socket. */
function boundConnections(server: Server): void {
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.once("close", () => {
      connections -= 1;
    });
    if (connections > CONNECTIONS_MAX) socket.destroy();
  });
}
