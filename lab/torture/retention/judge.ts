import type { Broken } from "../promise.ts";

export const TABLES = ["change_log", "deliveries", "webhook_progress"] as const;

/**
 * Size of a table at a moment, with its indexes, its partitions and what lies beside its rows, and how many rows
 * it has.
 */
export interface Size {
  bytes: number;
  indexBytes: number;
  rows: number;
}

/** The sizes of all tables at a moment. */
export interface Sample {
  /** Since the beginning. */
  ms: number;
  /** Events that were written by then. */
  written: number;
  sizes: Record<(typeof TABLES)[number], Size>;
}

export interface History {
  /** Time for which entries of the log and deliveries are kept. */
  keptMs: number;
  samples: Sample[];
  /** Partitions that were dropped. */
  dropped: string[];
}

/** How much larger than before a table may be in the last third; what it holds wanders with the machine. */
const GROWTH = 1.25;
/** Smaller ones may grow: a megabyte is a vacuum that came late. */
const BYTES_LEAST = 4 * 1024 * 1024;

/**
 * The promise that tables do not grow under steady load, as far as a history shows it broken: a table whose largest
 * size in the last third of the time is well above that in the third before. docs/torture.md#retention-tables-level-off
 */
export function judge({ keptMs, samples }: History): Broken[] {
  const end = samples.at(-1)?.ms ?? 0;
  const within = (from: number, to: number) => samples.filter(({ ms }) => ms > from && ms <= to);
  const [before, after] = [within(end / 3, (2 * end) / 3), within((2 * end) / 3, end)];
  if (end / 3 < keptMs || before.length === 0 || after.length === 0)
    return [{ promise: "the run is long enough to tell", seen: `${end} ms with ${keptMs} ms kept` }];
  return TABLES.flatMap((table) =>
    (["bytes", "indexBytes"] as const).flatMap((what) => {
      const [was, is] = [before, after].map((some) => Math.max(...some.map(({ sizes }) => sizes[table][what])));
      if (was === undefined || is === undefined || is <= Math.max(BYTES_LEAST, was * GROWTH)) return [];
      return [{ promise: "tables level off", seen: `${what} of ${table}: ${was}, then ${is}` }];
    }),
  );
}
