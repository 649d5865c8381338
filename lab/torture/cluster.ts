import { randomBytes } from "node:crypto";
import { serviceFolders } from "../../config/service-folders.ts";
import { freePort } from "../harness/free-port.ts";
import { type Members, startMembers } from "../harness/members.ts";
import { type NatsServer, startNats } from "../harness/nats-server.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { TEST_ENV } from "../harness/server-env.ts";
import { until } from "../harness/until.ts";

/** What runs where the gateway runs (README, "Growing"). */
const GATEWAY_FOLDERS = ["gateway", "ratelimit", "idempotency"];
const RECOVERY_MS_MAX = 60_000;

/**
 * Gateways, processes with all other services, a nats-server and a PostgreSQL, all of which can be ended and come back.
 */
export interface Cluster {
  ports: number[];
  /** Names of the processes: `gateway 0`, …, `worker 0`, …. */
  gateways: string[];
  workers: string[];
  postgres: Postgres;
  /** Ends a process and starts it again at the same port; returns when it says that it is ready. */
  restart(name: string, signal: NodeJS.Signals): Promise<void>;
  restartNats(signal: "SIGTERM" | "SIGKILL"): Promise<string>;
  /** Returns as soon as `/readyz` of every gateway answers 200. */
  recovered(): Promise<void>;
  stop(): Promise<void>;
}

interface Shape {
  gateways: number;
  workers: number;
  env?: Record<string, string>;
  /** Further variables of one process, by its name; it may be led to other addresses than those that all share. */
  own?(name: string, shared: { NATS_URL: string; DATABASE_URL: string }): Promise<Record<string, string>>;
  durable: boolean;
}

/** Starts everything; returns when each process says that it is ready. */
export async function startCluster({ gateways, workers, env = {}, own, durable }: Shape): Promise<Cluster> {
  const postgres = await startPostgres({ durable });
  let nats: NatsServer | undefined;
  let members: Members | undefined;
  const stop = async () => {
    await members?.stop();
    await nats?.stop();
    await postgres.stop();
  };
  try {
    nats = await startNats();
    const ports = await freePorts(gateways);
    const shared = {
      ...TEST_ENV,
      NATS_URL: nats.url,
      DATABASE_URL: postgres.url,
      NAMESPACE: `torture-${randomBytes(4).toString("hex")}`,
      ...env,
    };
    const variables = new Map<string, Record<string, string>>([
      ...ports.map((port, i) => member("gateway", i, { ...shared, PORT: String(port) }, GATEWAY_FOLDERS)),
      ...Array.from({ length: workers }, (_, i) => member("worker", i, shared, workerFolders())),
    ]);
    for (const [name, mine] of variables) variables.set(name, { ...mine, ...(await own?.(name, shared)) });
    members = await startMembers(Object.fromEntries(variables));
    const { start, end } = members;
    const restart = async (name: string, signal: NodeJS.Signals) => {
      await end(name, signal);
      await start(name);
    };
    const restartNats = async (signal: "SIGTERM" | "SIGKILL") => {
      const { port } = nats ?? { port: 0 };
      await (signal === "SIGKILL" ? nats?.kill() : nats?.stop());
      nats = await startNats({ port });
      return `port ${port}`;
    };
    const recovered = () =>
      until("every gateway is ready", () => areReady(ports), RECOVERY_MS_MAX).then(() => undefined);
    const names = [...variables.keys()];
    await recovered();
    return {
      ports,
      gateways: names.filter((name) => name.startsWith("gateway")),
      workers: names.filter((name) => name.startsWith("worker")),
      postgres,
      restart,
      restartNats,
      recovered,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function member(
  kind: string,
  i: number,
  variables: Record<string, string>,
  folders: string[],
): [string, Record<string, string>] {
  return [`${kind} ${i}`, { ...variables, SERVICES: folders.join(",") }];
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
