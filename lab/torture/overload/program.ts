import { join } from "node:path";
import type { Request } from "../../harness/load.ts";
import { type Postgres, startPostgres } from "../../harness/postgres.ts";
import { cpuMs, postgresCpuMs, residentMb, watchMemory } from "../../harness/processes.ts";
import { randomOf } from "../../harness/random.ts";
import { type Running, startServer } from "../../harness/server-process.ts";
import { makeUsers } from "../../harness/users.ts";
import { startChild } from "../child.ts";
import { now, type Outcome } from "../promise.ts";
import { type Cost, figuresOf } from "./figures.ts";
import { BOUNDS, type Bounds, goodputOf, judge, type Measured } from "./judge.ts";
import { makePeople, mixOf } from "./mix.ts";
import type { Order, Sent, Slot } from "./order.ts";

export interface Options {
  seed: number;
  /** How long the overload lasts. */
  seconds: number;
  /** Times the capacity. */
  times: number;
  /** Connections of the overload at most. */
  connections: number;
  bounds?: Bounds;
  /** The calm after the overload is repeated this often at most, while each moment of it has a refusal. Default 0. */
  again?: number;
  /** Whether PostgreSQL waits for the disk. */
  durable?: boolean;
  note(line: string): void;
}

/** Limits count and their headers are sent, but nobody meets them. */
const ENV = { RATE_LIMITS: "default=1000000/2,burst=1000000/1", LOG_LEVEL: "fatal" };
const PEAK_CONNECTIONS = [8, 16, 32, 64];
const PEAK_SHARE = 0.1;
const WARM_UP_SHARE = 0.1;
const CALM_SHARE = 0.5;
/** How long half the peak is offered before and after the overload, as a share of its time. */
const CALM_TIME = 0.5;
const CALM_MS_MAX = 5_000;

/**
 * Measures the peak of one process with all services, offers several times as much, and looks how soon all is normal
 * again.
 */
export async function tortureOverload(options: Options): Promise<Outcome & { history: Measured }> {
  const postgres = await startPostgres({ durable: options.durable ?? true });
  let server: Running | undefined;
  const generator = startChild(join(import.meta.dirname, "generator.ts"));
  try {
    server = await startServer({ ...ENV, DATABASE_URL: postgres.url });
    const [[key = ""] = []] = await makeUsers(postgres.url, [1]);
    const people = await makePeople({ port: server.port, key });
    generator.tell({ requests: mixOf(people, randomOf(options.seed)), key } satisfies {
      requests: Request[];
      key: string;
    });
    return await measure(options, server, postgres, (order) => generator.ask<Sent>(order));
  } finally {
    await generator.kill();
    await server?.stop();
    await postgres.stop();
  }
}

type Send = (order: Order) => Promise<Sent>;

async function measure(
  options: Options,
  { pid, port }: Running,
  postgres: Postgres,
  send: Send,
): Promise<Outcome & { history: Measured }> {
  const { seconds, times, connections, again = 0, note } = options;
  const overloadMs = seconds * 1000;
  const calmMs = Math.min(CALM_MS_MAX, overloadMs * CALM_TIME);
  const peak = { perSecond: 0, cost: emptyCost() };
  await send({ port, ms: overloadMs * WARM_UP_SHARE, connections: PEAK_CONNECTIONS[0] ?? 1 });
  for (const count of PEAK_CONNECTIONS) {
    const [sent, cost] = await costing(pid, postgres, () =>
      send({ port, ms: overloadMs * PEAK_SHARE, connections: count }),
    );
    note(`${goodputOf(sent).toFixed(0)} a second on ${count} connections`);
    if (goodputOf(sent) > peak.perSecond) Object.assign(peak, { perSecond: goodputOf(sent), cost });
  }
  const perSecond = peak.perSecond * CALM_SHARE;
  const calm = await send({ port, ms: calmMs, connections, perSecond });
  const memory = watchMemory(pid);
  const beginMb = memory.peakMb();
  const half = new Promise<number>((resolve) => setTimeout(() => resolve(memory.peakMb()), overloadMs / 2));
  const [overload, cost] = await costing(pid, postgres, () =>
    send({ port, ms: overloadMs, connections, perSecond: peak.perSecond * times }),
  );
  const memoryMb: Measured["memoryMb"] = [await half, memory.peakMb()];
  note(`${goodputOf(overload).toFixed(0)} a second under overload`);
  const sendCalm = () => send({ port, ms: calmMs, connections, perSecond });
  let after = await sendCalm();
  for (let left = again; left > 0 && !after.slots.some(isWhole); left -= 1) after = await sendCalm();
  memory.stop();
  const history: Measured = { peakPerSecond: peak.perSecond, calm, overload, after, memoryMb };
  const figures = figuresOf(history, { peak: peak.cost, overload: cost }, [beginMb, residentMb(pid)]);
  return { broken: judge(history, options.bounds ?? BOUNDS), history, figures };
}

/** Whether requests were sent in this time, and each was answered with 200. */
export function isWhole({ sent, accepted }: Slot): boolean {
  return sent > 0 && accepted === sent;
}

function emptyCost(): Cost {
  return { ms: 0, server: 0, postgres: 0, generator: 0 };
}

async function costing(pid: number, postgres: Postgres, work: () => Promise<Sent>): Promise<[Sent, Cost]> {
  const begun = now();
  const before = [cpuMs(pid), postgresCpuMs(postgres.pid())] as const;
  const sent = await work();
  const cost: Cost = {
    ms: now() - begun,
    server: cpuMs(pid) - before[0],
    postgres: postgresCpuMs(postgres.pid()) - before[1],
    generator: sent.cpuMs,
  };
  return [sent, cost];
}
