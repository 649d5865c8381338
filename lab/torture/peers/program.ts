import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../harness/free-port.ts";
import { type NetworkProxy, openProxy, proxyTo } from "../../harness/network-proxy.ts";
import { randomOf } from "../../harness/random.ts";
import { makeUsers } from "../../harness/users.ts";
import { type Cluster, startCluster } from "../cluster.ts";
import { now, type Outcome } from "../promise.ts";
import { openSender, type Sender } from "../sender.ts";
import { sendSteadily, type UnderWay } from "./clients.ts";
import { figuresOf } from "./figures.ts";
import { FAULT_KINDS, type Fault, type FaultKind, type History, PEERS, type Peer, titleOf } from "./history.ts";
import { BOUNDS, type Bounds, judge } from "./judge.ts";

export interface Options {
  seed: number;
  /** How long a fault lasts. */
  seconds: number;
  kinds?: readonly FaultKind[];
  bounds?: Bounds;
  /** Between two requests of each kind. */
  everyMs?: number;
  /** Whether PostgreSQL waits for the disk. */
  durable?: boolean;
  note(line: string): void;
}

/** Limits count, so that their connection is in use, but nobody meets them. */
const ENV = { RATE_LIMITS: "default=1000000/2,burst=1000000/1" };
const EVERY_MS = 200;
const PROBE_EVERY_MS = 500;
/** All has succeeded for so long: then it is whole. */
const CALM_MS = 3_000;
/** How long a fault is watched after its end, for as long as something fails. */
const WATCH_MS_MAX = 60_000;
/** What has waited for so long is not as it should be. */
const QUICK_MS = 1_000;
const POLL_MS = 50;
const SLOW_MS = 1_000;
const CORRUPT_SHARE = 0.05;
const RESET_EVERY_MS = 500;

/** What leads a process to its peers, by its name. */
type Ways = Map<string, Record<Peer, NetworkProxy>>;

/** Puts every kind of fault between each process and each peer, one after the other, while clients go on. */
export async function torturePeers(options: Options): Promise<Outcome & { history: History }> {
  const begun = now();
  const ways: Ways = new Map();
  const probes = new Map<string, number>();
  const own = async (name: string, shared: { NATS_URL: string; DATABASE_URL: string }) => {
    const { hostname: host, port } = new URL(shared.NATS_URL);
    const way = {
      PostgreSQL: await openProxy(shared.DATABASE_URL),
      NATS: await proxyTo({ host, port: Number(port) }, shared.NATS_URL),
    };
    ways.set(name, way);
    probes.set(name, await freePort());
    return { DATABASE_URL: way.PostgreSQL.url, NATS_URL: way.NATS.url, METRICS_PORT: String(probes.get(name)) };
  };
  const cluster = await startCluster({ gateways: 1, workers: 1, env: ENV, own, durable: options.durable ?? true });
  for (const [i, port] of cluster.ports.entries()) probes.set(cluster.gateways[i] ?? "", port);
  const sender = openSender(cluster.ports[0] ?? 0);
  try {
    const [[apiKey = ""] = []] = await makeUsers(cluster.postgres.url, [1]);
    const history = await run(options, { cluster, ways, probes, sender, apiKey });
    const figures = figuresOf(history, now() - begun);
    return { broken: judge(history, options.bounds ?? BOUNDS), history, figures };
  } finally {
    sender.close();
    await cluster.stop();
    for (const way of ways.values()) for (const proxy of Object.values(way)) await proxy.stop();
  }
}

interface Scene {
  cluster: Cluster;
  ways: Ways;
  /** Ports of the probes of each process. */
  probes: Map<string, number>;
  sender: Sender;
  apiKey: string;
}

async function run(options: Options, { cluster, ways, probes, sender, apiKey }: Scene): Promise<History> {
  const history: History = { faults: [], asked: [], probes: [], lost: [] };
  const acknowledged = new Set<string>();
  const personId = await makePerson(sender, apiKey);
  const underWay: UnderWay = new Set();
  const watched = { history, underWay };
  let over = false;
  const isOver = () => over;
  const asking = [
    sendSteadily(options.everyMs ?? EVERY_MS, { sender, apiKey, personId, history, acknowledged, underWay, isOver }),
    ...[...probes].map(([name, port]) => probeSteadily(name, port, watched, isOver)),
  ];
  const random = randomOf(options.seed);
  try {
    await calm(watched, now());
    for (const kind of options.kinds ?? FAULT_KINDS)
      for (const peer of PEERS)
        for (const [victim, way] of ways) {
          const fault = await hit(way[peer], { kind, peer, victim }, { ...watched, random, seconds: options.seconds });
          options.note(`${titleOf(fault)}; watched for ${((fault.watchedUntil - fault.at) / 1000).toFixed(1)} s`);
        }
  } finally {
    over = true;
    await Promise.all(asking);
  }
  history.lost = await missing(cluster.postgres.url, acknowledged);
  return history;
}

async function makePerson(sender: Sender, apiKey: string): Promise<string> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const { text } = await sender.send({ method: "POST", path: "/v1/people", body: "{}", headers });
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

interface Watched {
  history: History;
  underWay: UnderWay;
}

/** Lets one fault happen, and watches it until all is whole. */
async function hit(
  proxy: NetworkProxy,
  what: Pick<Fault, "kind" | "peer" | "victim">,
  { random, seconds, ...watched }: Watched & { random: () => number; seconds: number },
): Promise<Fault> {
  const never = Number.POSITIVE_INFINITY;
  const fault: Fault = { ...what, at: now(), endedAt: never, watchedUntil: never };
  watched.history.faults.push(fault);
  const resetting = begin(proxy, what.kind, random);
  await pause(seconds * 1000);
  clearInterval(resetting);
  // Half-open connections are never restored: nobody tells either side.
  if (what.kind !== "half-open") await proxy.restore();
  fault.endedAt = now();
  fault.watchedUntil = await watch(watched, fault.endedAt);
  await proxy.restore();
  return fault;
}

function begin(proxy: NetworkProxy, kind: FaultKind, random: () => number): NodeJS.Timeout | undefined {
  if (kind === "half-open") proxy.freeze();
  else if (kind === "silent") proxy.hang();
  else if (kind === "slow") proxy.slow(SLOW_MS);
  else if (kind === "corrupting") proxy.corrupt(CORRUPT_SHARE, random);
  else return setInterval(() => proxy.reset(), RESET_EVERY_MS);
  return undefined;
}

/**
 * Waits until all is calm, and what was under way then has succeeded too; gives the time. All that was sent before has
 * its answer, so that the next fault does not hit it.
 */
async function watch(watched: Watched, since: number): Promise<number> {
  const { asked, probes } = watched.history;
  for (;;) {
    const until = await calm(watched, since);
    while (oldest(watched.underWay) < until) await pause(POLL_MS);
    const last = [...asked, ...probes].filter(({ sentAt, answeredAt }) => sentAt < until && answeredAt >= until);
    if (last.every(({ status }) => status === 200) || isLate(since)) return until;
  }
}

/** Waits until everything has succeeded for some time, probes too; gives the time. */
async function calm({ history, underWay }: Watched, since: number): Promise<number> {
  const { asked, probes } = history;
  for (;;) {
    const from = Math.max(since, now() - CALM_MS);
    const recent = [...asked, ...probes].filter(({ answeredAt }) => answeredAt >= from);
    const isCalm = recent.length > 0 && recent.every(({ status }) => status === 200) && isQuick(underWay);
    if (isLate(since) || (now() - since > CALM_MS && isCalm)) return now();
    await pause(POLL_MS);
  }
}

function isLate(since: number): boolean {
  return now() - since > WATCH_MS_MAX;
}

function isQuick(underWay: UnderWay): boolean {
  return oldest(underWay) > now() - QUICK_MS;
}

function oldest(underWay: UnderWay): number {
  const [first] = underWay;
  return first?.sentAt ?? Number.POSITIVE_INFINITY;
}

async function probeSteadily(
  process: string,
  port: number,
  { history, underWay }: Watched,
  isOver: () => boolean,
): Promise<void> {
  const sender = openSender(port);
  while (!isOver()) {
    for (const path of ["/livez", "/readyz"] as const) {
      const sentAt = now();
      const mark = { sentAt };
      underWay.add(mark);
      const { status } = await sender.send({ method: "GET", path, headers: {} });
      underWay.delete(mark);
      history.probes.push({ process, path, sentAt, answeredAt: now(), status });
    }
    await pause(PROBE_EVERY_MS);
  }
  sender.close();
}

/** Those of the names that no person has. */
async function missing(databaseUrl: string, names: Set<string>): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>("select distinct first_name as name from people");
    const there = new Set(rows.map(({ name }) => name));
    return [...names].filter((name) => !there.has(name));
  } finally {
    await client.end();
  }
}
