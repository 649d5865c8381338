import { randomBytes } from "node:crypto";
import { serviceFolders } from "../../config/service-folders.ts";
import { type Bus, startBus } from "../harness/bus.ts";
import { freePort } from "../harness/free-port.ts";
import { type Members, startMembers } from "../harness/members.ts";
import type { Postgres } from "../harness/postgres.ts";
import { TEST_ENV } from "../harness/server-env.ts";
import { until } from "../harness/until.ts";

/** What runs where the gateway runs (README, "Growing"). */
const GATEWAY_FOLDERS = ["gateway", "ratelimit", "idempotency"];
const RECOVERY_MS_MAX = 60_000;

/** A database that a cluster stands on. */
interface Stored {
  url: string;
  stop(): Promise<void>;
}

/** Gateways, processes with all other services, NATS and a PostgreSQL, all of which can be ended and come back. */
export interface Cluster<Database extends Stored = Postgres> {
  ports: number[];
  /** Names of the processes: `gateway 0`, …, `worker 0`, …. */
  gateways: string[];
  workers: string[];
  members: Members;
  bus: Bus;
  postgres: Database;
  /** Ports at which the processes answer `/livez` and `/readyz`, by their names. */
  probes: Map<string, number>;
  /** Ends a process and starts it again at the same port; returns when it says that it is ready. */
  restart(name: string, signal: NodeJS.Signals): Promise<void>;
  restartNats(signal: "SIGTERM" | "SIGKILL"): Promise<string>;
  /** Returns as soon as `/readyz` of every gateway answers 200. */
  recovered(): Promise<void>;
  stop(): Promise<void>;
}

interface Shape<Database> {
  gateways: number;
  workers: number;
  /** Number of NATS servers, 1 unless given. */
  nats?: number;
  /** Runs already; the cluster stops it. */
  postgres: Database;
  env?: Record<string, string>;
  /** Further variables of one process, by its name; it may be led to other addresses than those that all share. */
  own?(name: string, shared: { NATS_URL: string; DATABASE_URL: string }): Promise<Record<string, string>>;
}

/** Starts everything but PostgreSQL; returns when each process says that it is ready. */
export async function startCluster<Database extends Stored>(shape: Shape<Database>): Promise<Cluster<Database>> {
  const { postgres } = shape;
  let bus: Bus | undefined;
  let members: Members | undefined;
  const stop = async () => {
    await members?.stop();
    await bus?.stop();
    await postgres.stop();
  };
  try {
    bus = await startBus(shape.nats ?? 1);
    const { variables, ports, probes } = await plan(shape, bus.url);
    members = await startMembers(variables);
    const recovered = () =>
      until("every gateway is ready", () => areReady(ports), RECOVERY_MS_MAX).then(() => undefined);
    await recovered();
    const names = Object.keys(variables);
    const gateways = names.filter((name) => name.startsWith("gateway"));
    const workers = names.filter((name) => name.startsWith("worker"));
    const parts = { ports, gateways, workers, members, bus, postgres, probes };
    return { ...parts, ...restarts({ members, bus }), recovered, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Variables of every process by its name, and the ports that they listen at. */
async function plan<Database extends Stored>(
  { gateways, workers, postgres, env = {}, own }: Shape<Database>,
  natsUrl: string,
): Promise<{ variables: Record<string, Record<string, string>>; ports: number[]; probes: Map<string, number> }> {
  const all = await freePorts(gateways + workers);
  const ports = all.slice(0, gateways);
  const shared = {
    ...TEST_ENV,
    NATS_URL: natsUrl,
    DATABASE_URL: postgres.url,
    NAMESPACE: `torture-${randomBytes(4).toString("hex")}`,
    ...env,
  };
  const probes = new Map<string, number>();
  const variables: Record<string, Record<string, string>> = {};
  for (const [i, port] of all.entries()) {
    const isGateway = i < gateways;
    const name = isGateway ? `gateway ${i}` : `worker ${i - gateways}`;
    const folders = isGateway ? GATEWAY_FOLDERS : workerFolders();
    const listens: Record<string, string> = isGateway ? { PORT: String(port) } : { METRICS_PORT: String(port) };
    probes.set(name, port);
    variables[name] = { ...shared, ...listens, SERVICES: folders.join(","), ...(await own?.(name, shared)) };
  }
  return { variables, ports, probes };
}

function restarts({ members, bus }: { members: Members; bus: Bus }): Pick<Cluster, "restart" | "restartNats"> {
  return {
    async restart(name, signal) {
      await members.end(name, signal);
      await members.start(name);
    },
    async restartNats(signal) {
      const [server] = bus.servers;
      await server?.end(signal);
      await server?.start();
      return server?.url ?? "";
    },
  };
}

function workerFolders(): string[] {
  return serviceFolders().filter((folder) => !GATEWAY_FOLDERS.includes(folder));
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function areReady(ports: number[]): Promise<boolean> {
  const answers = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/readyz`)));
  await Promise.all(answers.map((answer) => answer.text()));
  return answers.every(({ status }) => status === 200);
}
