import { setTimeout as pause } from "node:timers/promises";
import { type Load, load, type Target } from "../../harness/load.ts";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { CONNECTIONS, type Kind } from "./operation.ts";

/** A server under load, with its PostgreSQL. */
export interface Runner {
  pid: number;
  postmaster: number;
  target: Target;
  /** True if the other side has the same PostgreSQL. A turn then ends only when all work that it caused is done. */
  sharesPostgres?: boolean;
}

/** What a side did. CPU in microseconds per request, or per row of an import. */
export interface Figures {
  perSecond: number;
  cpuUs: number;
  postgresUs: number;
}

export interface Compared {
  other: Figures;
  own: Figures;
  /** Requests per second of this side by those of the other, in each of the rounds. */
  ratios: number[];
  failures: string[];
}

const TURN_MS = 600;
const BATCH_TURN_MS = 700;
const SETTLE_MS = 100;
const SETTLED_CPU_MS = 20;
const SETTLE_TRIES = 50;

/** The turns of both sides, and what went wrong in them. */
export interface Turns {
  sides: [other: Turn[], own: Turn[]];
  failures: string[];
}

export function noTurns(): Turns {
  return { sides: [[], []], failures: [] };
}

/**
 * Lets both sides take short turns, the first of which does not count, and adds them to those that there are. Each
 * round begins with the side that the last one ended with.
 */
export async function takeTurns(
  [other, own]: [Runner, Runner],
  { kind, perTurn, rounds }: { kind: Kind; perTurn?: number; rounds: number },
  { sides, failures }: Turns,
): Promise<void> {
  const bounds = {
    connections: CONNECTIONS[kind],
    ms: kind === "batch" ? BATCH_TURN_MS : TURN_MS,
    ...(perTurn !== undefined && { requestsMax: perTurn }),
  };
  for (let round = 0; round <= rounds; round++) {
    const order = [
      [other, sides[0]],
      [own, sides[1]],
    ] as const;
    for (const [runner, into] of round % 2 === 0 ? order : order.toReversed()) {
      const turn = await takeTurn(runner, bounds);
      failures.push(...turn.load.failures);
      if (round > 0) into.push(turn);
    }
  }
}

/** What the turns tell of both sides. */
export function comparedOf({ sides, failures }: Turns): Compared {
  const rates = sides.map((side) => side.map(({ load: { requests, ms } }) => requests / ms));
  const ratios = rates[1]?.map((rate, i) => rate / (rates[0]?.[i] ?? 1)) ?? [];
  return { other: figuresOf(sides[0]), own: figuresOf(sides[1]), ratios, failures };
}

/** The one in the middle, or the mean of the two that are. */
export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [below = 0, above = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (below + above) / 2;
}

/** A turn of one side, with the CPU time that it took. */
interface Turn {
  load: Load;
  cpuMs: number;
  postgresMs: number;
}

async function takeTurn(runner: Runner, bounds: Parameters<typeof load>[1]): Promise<Turn> {
  const { pid, postmaster, target } = runner;
  const before = [cpuMs(pid), postgresCpuMs(postmaster)] as const;
  const done = await load(target, bounds);
  if (runner.sharesPostgres) await settle(runner);
  return { load: done, cpuMs: cpuMs(pid) - before[0], postgresMs: postgresCpuMs(postmaster) - before[1] };
}

/** Waits until a server and its PostgreSQL do nearly nothing, for example until events are passed on. */
async function settle({ pid, postmaster }: Runner): Promise<void> {
  const spent = (): number => cpuMs(pid) + postgresCpuMs(postmaster);
  for (let i = 0, before = spent(); i < SETTLE_TRIES; i++) {
    await pause(SETTLE_MS);
    const now = spent();
    if (now - before <= SETTLED_CPU_MS) return;
    before = now;
  }
}

function figuresOf(turns: Turn[]): Figures {
  const sum = (of: (turn: Turn) => number): number => turns.reduce((total, turn) => total + of(turn), 0);
  const requests = sum((turn) => turn.load.requests);
  return {
    perSecond: (requests * 1000) / sum((turn) => turn.load.ms),
    cpuUs: (sum((turn) => turn.cpuMs) * 1000) / requests,
    postgresUs: (sum((turn) => turn.postgresMs) * 1000) / requests,
  };
}
