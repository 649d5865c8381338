/** What a server tells of itself at METRICS_PORT. docs/guides/monitoring.md#metrics */
export interface Metrics {
  /** The longest that one request has held the event loop since the last reading; undefined when it is not measured. */
  turnMaxMs?: number;
  /** What is held of bounded amounts, and who waits for some: `held{what="…"}`. */
  gauges: Record<string, number>;
}

const PATIENCE_MS = 5_000;
const TURN = "contact_workspace_event_loop_turn_max_seconds";
const GAUGE = /^contact_workspace_((?:held|waiting)\{.*\}) (\S+)$/gm;

/** Reads the metrics; undefined when no answer came in time. */
export async function readMetrics(port: number): Promise<Metrics | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? metricsOf(await answer.text()) : undefined;
  } catch {
    // A server whose event loop is held, or that is gone, gives no answer. The history says so.
    return undefined;
  }
}

function metricsOf(text: string): Metrics {
  const turn = new RegExp(`^${TURN} (\\S+)$`, "m").exec(text)?.[1];
  const gauges = [...text.matchAll(GAUGE)].map(([, name = "", value]): [string, number] => [name, Number(value)]);
  return { ...(turn !== undefined && { turnMaxMs: Number(turn) * 1000 }), gauges: Object.fromEntries(gauges) };
}

/** How long `/livez` takes, in milliseconds; Infinity when there is no answer of 200 in time. */
export async function askLivez(port: number): Promise<number> {
  const begun = performance.now();
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY;
  } catch {
    // As above.
    return Number.POSITIVE_INFINITY;
  }
}
