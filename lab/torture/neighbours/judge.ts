import { percentile } from "../../harness/load.ts";
import type { Broken } from "../promise.ts";
import type { Asked, History, Phase, Turn } from "./history.ts";

export interface Bounds {
  p99Ms: number;
  turnMs: number;
  memoryMb: number;
  livezMs: number;
  /** How soon after an attack nothing may be held any more. */
  restMs: number;
}

export const BOUNDS: Bounds = { p99Ms: 500, turnMs: 50, memoryMb: 600, livezMs: 1_000, restMs: 5_000 };

/** An error that the server did not expect. */
const FAILED = 500;

/** Kinds of requests that are told with the 99th percentile of all, the slowest first. */
const KINDS_TOLD = 3;

/** The promises about neighbours that a history shows broken. docs/torture.md#neighbours-answers-for-all-others */
export function judge(history: History, bounds: Bounds): Broken[] {
  const phases = history.phases.filter(({ isRepeated }) => !isRepeated);
  const isMeasured = phases.some(({ turnMaxMs }) => turnMaxMs !== undefined);
  const hasGauges = phases.some((phase) => phase.hasGauges);
  return phases.flatMap((phase) => [
    ...judgeAttack(phase),
    ...judgeAnswers(phase, bounds),
    ...judgeServer(phase, bounds, { isMeasured, hasGauges }),
  ]);
}

function judgeAttack({ name, failure, victims, attacker, logged }: Phase): Broken[] {
  if (failure !== undefined) return [broken("every attack is made", `${name}: ${failure}`)];
  if (victims.length === 0) return [broken("every attack is made", `${name}: there was nobody beside it`)];
  const failed = attacker[FAILED] ?? 0;
  if (failed === 0) return [];
  const error = logged.find((line) => line.includes('"level":"error"')) ?? logged[0] ?? "";
  return [broken("an attack is refused by a rule, and not by a 500", `${name}: ${failed} times; ${error}`)];
}

function judgeAnswers({ name, victims }: Phase, { p99Ms }: Bounds): Broken[] {
  const list: Broken[] = [];
  for (const [promise, seen] of [
    ["nobody else is refused", victims.filter(({ status }) => status === 503)],
    ["everybody else is answered as always", victims.filter(({ status }) => status !== 200 && status !== 503)],
  ] as const)
    if (seen.length > 0) list.push(broken(promise, `${name}: ${told(seen)} of ${victims.length}`));
  const p99 = latencyOf(victims, 0.99);
  if (p99 > p99Ms)
    list.push(
      broken(`others wait at most ${p99Ms} ms (p99)`, `${name}: ${p99.toFixed(0)} ms; ${slowestKinds(victims)}`),
    );
  return list;
}

function judgeServer(
  { name, ...seen }: Phase,
  bounds: Bounds,
  { isMeasured, hasGauges }: { isMeasured: boolean; hasGauges: boolean },
): Broken[] {
  const { turnMaxMs, peakMb, heldAtRest, isAlive, livezMs } = seen;
  if (!isAlive) return [broken("the server stays alive", `${name}: ${seen.logged.at(-1) ?? "it said nothing"}`)];
  const turns = seen.turns.filter(({ isRequest }) => isRequest);
  const longest = Math.max(turnMaxMs ?? 0, ...turns.map(({ ms }) => ms));
  const checks: [kept: boolean, promise: string, seen: string][] = [
    [!isMeasured || turnMaxMs !== undefined, "turns of the event loop are measured", "not this time"],
    [!hasGauges || seen.hasGauges, "gauges can be read at rest", "not this time"],
    [
      longest <= bounds.turnMs,
      `no request holds the event loop for more than ${bounds.turnMs} ms`,
      [`${longest.toFixed(0)} ms`, ...longestTurns(turns)].join(", "),
    ],
    [peakMb <= bounds.memoryMb, `memory stays below ${bounds.memoryMb} MB`, `${peakMb.toFixed(0)} MB`],
    [
      Object.keys(heldAtRest).length === 0,
      `nothing is held ${bounds.restMs / 1000} s later`,
      JSON.stringify(heldAtRest),
    ],
    [livezMs <= bounds.livezMs, `/livez answers within ${bounds.livezMs} ms afterwards`, `${livezMs.toFixed(0)} ms`],
  ];
  return checks.filter(([kept]) => !kept).map(([, promise, what]) => broken(promise, `${name}: ${what}`));
}

/** The routes that held it longest: `POST /v1/people 80 ms, 3 times`. */
function longestTurns(turns: Turn[]): string[] {
  return [...Map.groupBy(turns, ({ what }) => what)]
    .map(([what, mine]) => ({ what, times: mine.length, ms: Math.max(...mine.map(({ ms }) => ms)) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, KINDS_TOLD)
    .map(({ what, times, ms }) => `${what} ${ms.toFixed(0)} ms, ${times} times`);
}

/** Counts by kind and what came: `12 × list 503, 1 × get ECONNRESET`. */
function told(seen: Asked[]): string {
  const groups = Map.groupBy(seen, ({ kind, status, error }) => `${kind} ${status === 0 ? error : status}`);
  return [...groups].map(([what, group]) => `${group.length} × ${what}`).join(", ");
}

function slowestKinds(victims: Asked[]): string {
  return [...Map.groupBy(victims, ({ kind }) => kind)]
    .map(([kind, mine]) => ({ kind, p99: latencyOf(mine, 0.99) }))
    .sort((a, b) => b.p99 - a.p99)
    .slice(0, KINDS_TOLD)
    .map(({ kind, p99 }) => `${kind} ${p99.toFixed(0)}`)
    .join(", ");
}

/**
 * The latency below which this share of the requests lies, in milliseconds. What got no answer counts for as long as it
 * waited.
 */
export function latencyOf(victims: Asked[], share: number): number {
  return percentile(
    victims.map(({ ms }) => ms),
    share,
  );
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
