import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { TICK_MS } from "../../harness/processes.ts";

/**
 * Measures from now on what other programs take of the processors, which are not ours alone. Gives their share of all.
 * @param ours gives the CPU time that this program and what it started have taken so far, in milliseconds
 */
export function watchProcessors(ours: () => number): () => number {
  const begun = { at: performance.now(), busy: busyMs(), ours: ours() };
  return () => {
    const others = busyMs() - begun.busy - (ours() - begun.ours);
    return Math.max(0, others / ((performance.now() - begun.at) * availableParallelism()));
  };
}

/** CPU time that all programs have taken since the machine was started. */
function busyMs(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq + steal) * TICK_MS;
}
