import { freePort } from "./free-port.ts";
import { type NatsServer, startNats } from "./nats-server.ts";

/** NATS servers that know each other, each of which can end, hang and come back at its port. */
export interface Bus {
  /** Addresses of all, as NATS_URL takes them. */
  url: string;
  servers: BusServer[];
  stop(): Promise<void>;
}

export interface BusServer {
  url: string;
  start(): Promise<void>;
  /** Sends a signal; returns when the server is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  pause(): void;
  resume(): void;
  /** Number of connections that it has. */
  connections(): Promise<number>;
}

/** A server in lame duck mode is gone after some ten seconds. NATS takes no shorter duration than 30 s. */
const LAME_DUCK = 'lame_duck_grace_period: "1s"\nlame_duck_duration: "30s"\n';

/** Starts one server, or several with routes between all of them. */
export async function startBus(count: number): Promise<Bus> {
  const routes = await Promise.all(Array.from({ length: count }, freePort));
  const servers = await Promise.all(routes.map((_, i) => startServer(configOf(i, routes))));
  return {
    url: servers.map(({ url }) => url).join(","),
    servers,
    stop: async () => {
      await Promise.all(servers.map((server) => server.end("SIGKILL")));
    },
  };
}

/** Settings of the server with this place in the list of the ports for routes. */
function configOf(place: number, routes: number[]): string {
  if (routes.length === 1) return LAME_DUCK;
  const others = routes.filter((_, i) => i !== place).map((port) => `"nats-route://127.0.0.1:${port}"`);
  const cluster = `cluster { name: torture, listen: "127.0.0.1:${routes[place]}", routes: [${others.join(", ")}] }`;
  return `${LAME_DUCK}server_name: n${place}\n${cluster}\n`;
}

async function startServer(config: string): Promise<BusServer> {
  const monitor = await freePort();
  const all = `${config}http: "127.0.0.1:${monitor}"\n`;
  let server: NatsServer | undefined = await startNats({ config: all });
  const { port, url } = server;
  const signal = (which: NodeJS.Signals) => {
    if (server) process.kill(server.pid, which);
  };
  return {
    url,
    async start() {
      server = await startNats({ port, config: all });
    },
    async end(which) {
      const ending = server;
      server = undefined;
      await ending?.end(which);
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async connections() {
      const response = await fetch(`http://127.0.0.1:${monitor}/varz`);
      return ((await response.json()) as { connections: number }).connections;
    },
  };
}
