import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { statementReader } from "../../lab/bench/against/messages.ts";

/** Stands before PostgreSQL and counts the statements that come through. */
export interface CountingProxy {
  /** The address of the same database, through this. */
  url: string;
  /** How many statements have come so far. */
  statements(): number;
  close(): Promise<void>;
}

/** Listens on TCP. The embedded PostgreSQL listens on a Unix socket, which has a number as TCP has a port. */
export async function startProxy(databaseUrl: string): Promise<CountingProxy> {
  const url = new URL(databaseUrl);
  const host = decodeURIComponent(url.hostname);
  const to = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${url.port}` } : { host, port: Number(url.port) };
  const open = new Set<Socket>();
  let statements = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect(to);
    const read = statementReader((count) => {
      statements += count;
    });
    client.on("data", read);
    client.pipe(database);
    database.pipe(client);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    statements: () => statements,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
