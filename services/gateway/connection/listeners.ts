import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as Listener, type Socket } from "node:net";

/**
 * Number of sockets that listen. In a turn of the event loop Node accepts one connection of each listening socket
 * (libuv 1.52), and under load a turn takes tens of milliseconds. With one socket, a thousand clients that come at once
 * wait for a minute.
 */
const LISTENERS = 32;
/**
 * Number of connections that the system holds for a socket until they are accepted. With Node's default of 511 it drops
 * some of those that come at once, and their clients try again only after seconds.
 */
const BACKLOG = 4096;
/**
 * Whether several sockets can listen on one port. Linux divides the connections among them, and Node can ask for it
 * from 23.1 on.
 */
const SHARES_PORTS = process.platform === "linux" && Number(process.versions.node.split(".")[0]) > 23;

/** Changes `listen` and `close` of a server, which moleculer-web calls, to listen on many sockets of the same port. */
export function listenWidely(server: Server): void {
  const further: Listener[] = [];
  const [listen, close] = [server.listen.bind(server), server.close.bind(server)];

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

/** Opens one more socket on the port. The server serves its connections like its own. */
function listenFurther(server: Server, port: number, host: string): Listener {
  // These are the options that node:http gives its own socket.
  const listener = createServer({ allowHalfOpen: true, noDelay: true });
  listener.on("connection", (socket: Socket) => server.emit("connection", socket));
  // When this socket cannot listen, the server goes on with one less.
  listener.on("error", () => listener.close());
  return listener.listen({ port, host, backlog: BACKLOG, reusePort: true });
}
