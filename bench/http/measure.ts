import { type Load, load, percentile, type Target } from "../../lab/harness/load.ts";
import { cpuMs, postgresCpuMs } from "../../lab/harness/processes.ts";

/** One side of a comparison: a server, and the requests for it. */
export interface Side {
  pid: number;
  target: Target;
}

/** What a server did under load. CPU in microseconds per request, of its own process and of PostgreSQL. */
export interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
  postgresUs: number;
  failures: string[];
}

interface Options {
  connections: number;
  seconds: number;
  postmaster: number;
}

const SLICES = 4;
/** Code that has run this often is compiled as well as it will be. */
const WARM_UP_REQUESTS = 1500;
const WARM_UP_MS_MAX = 3000;
/** Alone on its connection, so many requests tell a 99th percentile. */
const UNLOADED_REQUESTS = 300;
const UNLOADED_MS_MAX = 4000;

/** Both sides in turn, in short slices: what disturbs the machine disturbs both. */
export async function compare(
  sides: [floor: Side, real: Side],
  { connections, seconds, postmaster }: Options,
): Promise<[floor: Figures, real: Figures]> {
  const sums: [floor: Sum, real: Sum] = [emptySum(), emptySum()];
  for (const { target } of sides)
    await load(target, { connections, ms: WARM_UP_MS_MAX, requestsMax: WARM_UP_REQUESTS });
  for (let slice = 0; slice < SLICES; slice++) {
    const turns: [Side, Sum][] = [
      [sides[0], sums[0]],
      [sides[1], sums[1]],
    ];
    // The second slice begins with the other side.
    for (const [{ pid, target }, sum] of slice % 2 === 0 ? turns : turns.reverse()) {
      const before = [cpuMs(pid), postgresCpuMs(postmaster)] as const;
      sum.loads.push(await load(target, { connections, ms: (seconds * 1000) / SLICES }));
      sum.cpuMs += cpuMs(pid) - before[0];
      sum.postgresMs += postgresCpuMs(postmaster) - before[1];
    }
  }
  return [figuresOf(sums[0]), figuresOf(sums[1])];
}

interface Sum {
  loads: Load[];
  cpuMs: number;
  postgresMs: number;
}

function emptySum(): Sum {
  return { loads: [], cpuMs: 0, postgresMs: 0 };
}

function figuresOf({ loads, cpuMs, postgresMs }: Sum): Figures {
  const requests = loads.reduce((sum, one) => sum + one.requests, 0);
  const latencies = loads.flatMap((one) => one.latenciesMs);
  return {
    perSecond: (requests * 1000) / loads.reduce((sum, one) => sum + one.ms, 0),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuUs: (cpuMs * 1000) / requests,
    postgresUs: (postgresMs * 1000) / requests,
    failures: loads.flatMap((one) => one.failures),
  };
}

/** One request after another on one connection. */
export async function unloaded(target: Target): Promise<{ p50Ms: number; p99Ms: number; failures: string[] }> {
  await load(target, { connections: 1, ms: UNLOADED_MS_MAX, requestsMax: target.bytes.length });
  const { latenciesMs, failures } = await load(target, {
    connections: 1,
    ms: UNLOADED_MS_MAX,
    requestsMax: UNLOADED_REQUESTS,
  });
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), failures };
}

/** Milliseconds per request of each, one request after another, in turns. */
export async function alternate(targets: { target: Target; requests: number }[], rounds: number): Promise<number[]> {
  const sums = targets.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { target, requests }] of targets.entries()) {
      const { ms } = await load(target, { connections: 1, ms: 60_000, requestsMax: requests });
      sums[i] = (sums[i] ?? 0) + ms / requests / rounds;
    }
  }
  return sums;
}
