import { serviceFolders } from "../../../config/service-folders.ts";
import { freePort } from "../../harness/free-port.ts";
import { startNats } from "../../harness/nats-server.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { startServer } from "../../harness/server-process.ts";
import type { How } from "../against/run.ts";
import type { Side } from "../against/side.ts";

/** A way to run the server whose requests are measured. */
export interface Shape {
  name: string;
  /** Port of its gateway. */
  port: number;
  /** CPU time that its parts have taken so far, in milliseconds, and messages that NATS has passed on. */
  spent(): Promise<Spent>;
  /** Stops its processes; the database stays. */
  stop(): Promise<void>;
}

/** CPU time of all processes of the server, of NATS and of PostgreSQL. Without a bus that of NATS is 0. */
export interface Spent {
  node: number;
  nats: number;
  postgres: number;
  messages: number;
}

export const ONE_PROCESS = "one process";
export const OVER_THE_BUS = "over the bus";
const ENV = { RATE_LIMITS: "off", PUBLIC_URL: "http://localhost:3000", LOG_LEVEL: "warn" };
const GATEWAY_FOLDERS = ["gateway", "ratelimit", "idempotency"];

/** One process with all services, on the database of a side. */
export async function oneProcess(side: Side, keep: How["keep"]): Promise<Shape> {
  const server = await keep(() => startServer({ ...ENV, DATABASE_URL: side.url }, { root: side.root }));
  const spent = async () => ({
    node: cpuMs(server.pid),
    nats: 0,
    postgres: postgresCpuMs(side.postmaster),
    messages: 0,
  });
  return { name: ONE_PROCESS, port: server.port, spent, stop: () => server.stop() };
}

/** A gateway and a process with all other services, with a nats-server between them, on the database of a side. */
export async function overTheBus(side: Side, keep: How["keep"]): Promise<Shape> {
  const monitor = await freePort();
  const nats = await keep(() => startNats({ config: `http: "127.0.0.1:${monitor}"\n` }));
  const start = (folders: string[]) => {
    const variables = { ...ENV, DATABASE_URL: side.url, NATS_URL: nats.url, SERVICES: folders.join(",") };
    return keep(() => startServer(variables, { root: side.root }));
  };
  const others = serviceFolders().filter((folder) => !GATEWAY_FOLDERS.includes(folder));
  const [gateway, rest] = await Promise.all([start(GATEWAY_FOLDERS), start(others)]);
  const spent = async () => ({
    node: cpuMs(gateway.pid) + cpuMs(rest.pid),
    nats: cpuMs(nats.pid),
    postgres: postgresCpuMs(side.postmaster),
    messages: await messagesOf(monitor),
  });
  const stop = async () => {
    await Promise.all([gateway.stop(), rest.stop()]);
    await nats.stop();
  };
  return { name: OVER_THE_BUS, port: gateway.port, spent, stop };
}

/** Messages that a nats-server has received since its start, as its monitor tells. */
async function messagesOf(monitor: number): Promise<number> {
  const { in_msgs: messages } = (await (await fetch(`http://127.0.0.1:${monitor}/varz`)).json()) as { in_msgs: number };
  return messages;
}
