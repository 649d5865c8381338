import { type Citus, startCitus } from "../../harness/citus.ts";
import { findCitus } from "../../harness/find-citus.ts";
import { type Haproxy, startHaproxy } from "../../harness/haproxy.ts";
import { type NetworkProxy, openProxy, proxyTo } from "../../harness/network-proxy.ts";
import { findPatroni, startPatroni } from "../../harness/patroni.ts";
import { startPostgresServer, startWithStandby } from "../../harness/postgres-server.ts";
import { until } from "../../harness/until.ts";
import { startCluster } from "../cluster.ts";
import { LOAD_ENV } from "../load/load.ts";
import { type Fleet, type FleetDatabase, GATEWAY, type Peer, type StageName, WORKER } from "./kinds/kind.ts";

/** Interval at which the load balancer asks each gateway, and the failures after which it sends nothing there. */
export interface Checks {
  checkEveryMs: number;
  fall: number;
}

/** A fleet with its load balancer. */
export interface RunningFleet extends Fleet {
  front: Haproxy;
  stop(): Promise<void>;
}

const NATS_SERVERS: Record<StageName, number> = { "one NATS": 1, "three NATS": 3, standby: 1, Patroni: 1, Citus: 1 };
/** Number of workspaces that share the load: on Citus so many that each worker should have some. */
export const WORKSPACES: Record<StageName, number> = {
  "one NATS": 1,
  "three NATS": 1,
  standby: 1,
  Patroni: 1,
  Citus: 4,
};
const EACH = 2;
/** Citus looks for them each minute. */
const RECOVERY_MS = 90_000;

/** Why this fleet cannot be had on this machine; undefined when it can. */
export function missingFor(stage: StageName): string | undefined {
  const found = stage === "Patroni" ? findPatroni() : stage === "Citus" ? findCitus() : undefined;
  return found && "missing" in found ? found.missing : undefined;
}

/** Starts two gateways behind a load balancer, two workers, and what they stand on. */
export async function startFleet(stage: StageName, checks: Checks, random: () => number): Promise<RunningFleet> {
  const postgres = await startDatabase(stage);
  const ways: Fleet["ways"] = new Map();
  const own = async (name: string, shared: { NATS_URL: string; DATABASE_URL: string }) => {
    const isVictim = [GATEWAY, WORKER].includes(name) && stage === "one NATS";
    return isVictim ? openWays(name, shared, ways) : {};
  };
  const closeWays = async () => {
    for (const way of ways.values()) for (const proxy of Object.values(way)) await proxy.stop();
  };
  const shape = { gateways: EACH, workers: EACH, nats: NATS_SERVERS[stage], postgres, env: LOAD_ENV, own };
  const cluster = await startCluster(shape);
  const stop = async () => {
    await cluster.stop();
    await closeWays();
  };
  try {
    const backends = cluster.ports.map((port) => ({ port }));
    const front = await startHaproxy(backends, { mode: "http", check: "/readyz", ...checks });
    return { cluster, ways, random, front, stop: () => front.stop().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(stage: StageName): Promise<FleetDatabase> {
  if (stage === "Patroni") return startPatroni();
  if (stage === "Citus") {
    const citus = await startCitus();
    return { url: citus.url, citus, leftOver: () => preparedOn(citus), stop: citus.stop };
  }
  if (stage !== "standby") {
    const server = await startPostgresServer();
    return { url: server.url, server, stop: server.stop };
  }
  const { primary, standby } = await startWithStandby();
  const stop = async () => {
    await primary.stop();
    await standby.stop();
  };
  return { url: primary.url, server: primary, standby, stop };
}

/** Prepared transactions of its databases, once Citus has had the time to end those of interrupted commits. */
async function preparedOn({ nodes }: Citus): Promise<string[]> {
  const look = () =>
    Promise.all(nodes.map(async ({ port, run }) => ({ port, rows: await run("select gid from pg_prepared_xacts") })));
  await until(
    "no transaction is prepared",
    async () => (await look()).every(({ rows }) => rows.length === 0),
    RECOVERY_MS,
  ).catch(() => undefined);
  return (await look()).flatMap(({ port, rows }) => rows.map(({ gid }) => `${gid} at ${port}`));
}

/** Leads one process to its peers through proxies; gives the variables that do so. */
async function openWays(
  name: string,
  { NATS_URL, DATABASE_URL }: { NATS_URL: string; DATABASE_URL: string },
  ways: Map<string, Record<Peer, NetworkProxy>>,
): Promise<Record<string, string>> {
  const { hostname: host, port } = new URL(NATS_URL);
  const way = {
    PostgreSQL: await openProxy(DATABASE_URL),
    NATS: await proxyTo({ host, port: Number(port) }, NATS_URL),
  };
  ways.set(name, way);
  return { DATABASE_URL: way.PostgreSQL.url, NATS_URL: way.NATS.url };
}
