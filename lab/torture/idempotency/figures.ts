import { percentile } from "../../harness/load.ts";
import type { History, Person } from "./history.ts";

/** What the closing table tells of a run that took `ms`. */
export function figuresOf(
  { attempts, faults }: History,
  people: Person[],
  ms: number,
): Record<string, string | number> {
  const byStatus = Map.groupBy(attempts, ({ status, error }) => (status === 0 ? `no answer (${error})` : `${status}`));
  const counts = [...byStatus]
    .map(([status, group]) => [`attempts: ${status}`, group.length] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const recoveries = faults.map(({ at, recoveredAt }) => recoveredAt - at);
  const longest = attempts.reduce((most, { sentAt, answeredAt }) => Math.max(most, answeredAt - sentAt), 0);
  return {
    seconds: (ms / 1000).toFixed(1),
    keys: new Set(attempts.map(({ key }) => key)).size,
    "people in the end": people.length,
    attempts: attempts.length,
    ...Object.fromEntries(counts),
    "replays seen": attempts.filter(({ replayed }) => replayed).length,
    faults: faults.length,
    "recovery ms, median and most": `${percentile(recoveries, 0.5).toFixed(0)}, ${Math.max(0, ...recoveries).toFixed(0)}`,
    "longest request ms": longest.toFixed(0),
  };
}
