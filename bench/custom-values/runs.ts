import { performance } from "node:perf_hooks";

/** How much is measured: the options of the command line. `wide` gives every person a value of more than 1 kB. */
export type Scale = { people: number; runs: number; wide: boolean };

/** One filter in one design is measured for at most this long, however few runs that allows. */
const FILTER_MS_MAX = 2500;

/** Runs `work` up to `runs` times and tells "median / p95" in milliseconds. The first, cold run counts only when it is the only one. */
export async function repeat(runs: number, work: (run: number) => Promise<void>): Promise<string> {
  const times: number[] = [];
  const started = performance.now();
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    await work(run);
    times.push(performance.now() - begun);
    if (performance.now() - started > FILTER_MS_MAX) break;
  }
  if (times.length > 1) times.shift();
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(
      times[0] !== undefined && times[0] >= 10 ? 0 : 2,
    );
  return `${at(0.5)} / ${at(0.95)}`;
}
