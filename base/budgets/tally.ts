import { showSamples } from "./gauges.ts";
import type { MetricName } from "./metrics.ts";

/**
 * Counts by the values of one label, which the caller knows to be few.
 * @param label its name
 * @param values those that are shown from the start, with 0: so a value that never happened differs from one that is
 * not counted
 * @returns counts one more, or a number
 */
export function showTally(
  name: MetricName,
  label: string,
  values: readonly string[] = [],
): (value: string, more?: number) => void {
  const counts = new Map(values.map((value) => [value, 0]));
  showSamples(name, () => [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })));
  return (value, more = 1) => void counts.set(value, (counts.get(value) ?? 0) + more);
}
