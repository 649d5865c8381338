import { setTimeout as pause } from "node:timers/promises";
import { watchMemory } from "../../harness/processes.ts";
import type { ServerProcess } from "../../harness/server-process.ts";
import { now } from "../promise.ts";
import type { Turn, Watched } from "./history.ts";
import { askLivez, type Metrics, readMetrics } from "./metrics.ts";

/** What looks at a server during a phase. */
export interface Watch {
  /** Takes a line of the server's log. */
  read(line: string): void;
  /** Looks at it until it holds nothing any more, or this time of `now()` has come, and gives all that was seen. */
  end(until: number): Promise<Watched>;
}

const EVERY_MS = 500;
const REST_EVERY_MS = 200;
const LOGGED_MAX = 5;
const HELD = "The event loop was held";

/** Watches a server from now on. The metrics are read at once, so that what was before is not told. */
export async function watchServer(server: ServerProcess, metricsPort: number): Promise<Watch> {
  const memory = watchMemory(server.pid);
  const turns: Turn[] = [];
  const logged: string[] = [];
  let turnMaxMs: number | undefined;
  let isReading = false;
  await readMetrics(metricsPort);
  const look = async () => {
    if (isReading) return undefined;
    isReading = true;
    const metrics = await readMetrics(metricsPort);
    isReading = false;
    if (metrics?.turnMaxMs !== undefined) turnMaxMs = Math.max(turnMaxMs ?? 0, metrics.turnMaxMs);
    return metrics;
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  return {
    read(line) {
      const turn = turnOf(line);
      if (turn) turns.push(turn);
      else if (logged.length < LOGGED_MAX && line.trim() !== "") logged.push(line.slice(0, 600));
    },
    async end(until) {
      clearInterval(timer);
      isReading = false;
      let metrics = await look();
      for (; !isAtRest(metrics) && now() < until; metrics = await look()) await pause(REST_EVERY_MS);
      memory.stop();
      const gauges = metrics?.gauges ?? {};
      return {
        peakMb: memory.peakMb(),
        ...(turnMaxMs !== undefined && { turnMaxMs }),
        turns: turns.toSorted((a, b) => b.ms - a.ms),
        logged,
        heldAtRest: Object.fromEntries(Object.entries(gauges).filter(([, value]) => value !== 0)),
        hasGauges: Object.keys(gauges).length > 0,
        isAlive: server.isAlive(),
        livezMs: await askLivez(metricsPort),
      };
    },
  };
}

/** A server without gauges is never known to be at rest. */
function isAtRest(metrics: Metrics | undefined): boolean {
  const held = Object.values(metrics?.gauges ?? {});
  return held.length > 0 && held.every((value) => value === 0);
}

/** What a line of the log tells of a turn that was held for too long; undefined when it tells of something else. */
function turnOf(line: string): Turn | undefined {
  if (!line.includes(HELD)) return undefined;
  try {
    const { what = "", ms = 0, requestId } = JSON.parse(line) as { what?: string; ms?: number; requestId?: string };
    return { what, ms, isRequest: requestId !== undefined };
  } catch {
    // A line that is not JSON is told as it is.
    return { what: line.slice(0, 200), ms: 0, isRequest: false };
  }
}
