import { goodputOf, type Measured, recoveryMs } from "./judge.ts";
import type { Latencies } from "./order.ts";

/** CPU time in milliseconds that a phase took, by whom, and how long it lasted. */
export interface Cost {
  ms: number;
  server: number;
  postgres: number;
  generator: number;
}

/** What the closing table tells of a run. */
export function figuresOf(
  measured: Measured,
  costs: { peak: Cost; overload: Cost },
  [beginMb, endMb]: [number, number],
): Record<string, string | number> {
  const { peakPerSecond, calm, overload, memoryMb } = measured;
  const goodput = goodputOf(overload);
  return {
    "peak /s": peakPerSecond.toFixed(0),
    "sent under overload /s": ((overload.sent * 1000) / overload.ms).toFixed(0),
    "due but not sent": overload.unsent,
    "goodput under overload /s": `${goodput.toFixed(0)}, ${percent(goodput / peakPerSecond)} of the peak`,
    "goodput per CPU second of server and PostgreSQL, of the peak's": percent(
      goodput / perCpu(costs.overload) / (peakPerSecond / perCpu(costs.peak)),
    ),
    "accepted before, at half the peak": latencies(calm.accepted),
    "accepted under overload": latencies(overload.accepted),
    "refused with 503": latencies(overload.refused),
    "other answers": JSON.stringify({ ...overload.others, ...overload.broken }),
    "normal again after ms": recoveryMs(measured),
    "resident MB: begin, halves, end": [beginMb, ...memoryMb, endMb].map((mb) => mb.toFixed(0)).join(", "),
    "CPU at the peak: server, PostgreSQL, generator": shares(costs.peak),
    "CPU under overload: server, PostgreSQL, generator": shares(costs.overload),
  };
}

function latencies({ count, p50Ms, p99Ms, maxMs }: Latencies): string {
  return `${count}: p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(0)} ms`;
}

/** CPU of server and PostgreSQL in a second. */
function perCpu({ ms, server, postgres }: Cost): number {
  return (server + postgres) / ms;
}

function shares({ ms, server, postgres, generator }: Cost): string {
  return [server, postgres, generator].map((cpu) => percent(cpu / ms)).join(", ");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
