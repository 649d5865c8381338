import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import pg from "pg";

/** Stands between a server and what it connects to, so that one test can take that away and the others keep theirs. */
export interface NetworkProxy {
  url: string;
  /** As if PostgreSQL had stopped: connections end, new ones are refused. */
  cut(): Promise<void>;
  /** As if the network had: nothing is refused and nothing answered. */
  hang(): void;
  /** As if a firewall had forgotten the connections that there are: they fall silent, and neither side is told. New ones work. */
  freeze(): void;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export type DatabaseProxy = NetworkProxy;

/** Opens a proxy to the database of this URL, on a port of its own. */
export function openProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { host, port } = new pg.Client(databaseUrl);
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return proxyTo(target, databaseUrl);
}

/** Opens a proxy to the target, on a port of its own; its URL is that of the target with this port. */
export async function proxyTo(target: NetConnectOpts, targetUrl: string): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let hanging = false;

  const server = createServer((incoming) => {
    const outgoing = connect(target);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        if (!frozen.delete(one)) other.destroy();
      });
      one.on("data", (data) => {
        if (!hanging) other.write(data);
      });
    }
  });
  await listen(server, 0);
  const { port: proxied } = server.address() as AddressInfo;

  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const restore = async () => {
    // What hung has lost some of its bytes.
    if (hanging) for (const socket of sockets) socket.destroy();
    for (const socket of frozen) socket.destroy();
    hanging = false;
    if (!server.listening) await listen(server, proxied);
  };
  const hang = () => {
    hanging = true;
  };
  const freeze = () => {
    // What is not read does not tell of its end either.
    for (const socket of sockets) frozen.add(socket.pause());
  };
  const url = Object.assign(new URL(targetUrl.replace(/@[^/]*/, "@127.0.0.1")), { port: String(proxied) }).href;
  return { url, cut, hang, freeze, restore, stop: () => (server.listening ? cut() : Promise.resolve()) };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
}
