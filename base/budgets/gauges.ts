import { METRICS, type MetricName } from "./metrics.ts";

/** Labels of a number: their values by their names. */
export type Labels = Readonly<Record<string, string>>;

/**
 * One number of a metric. Those of a histogram or summary have what stands behind its name: `_bucket`, `_sum`,
 * `_count`.
 */
export interface Sample {
  labels: Labels;
  value: number;
  suffix?: "_bucket" | "_sum" | "_count";
}

type Read = () => Iterable<Sample>;

const reads = new Map<MetricName, Set<Read>>();

/**
 * Shows a number of this process in its metrics (docs/guides/monitoring.md#metrics). Numbers of one name and the same
 * labels are added up: there may be several of a kind.
 * @returns ends it
 */
export function showGauge(name: MetricName, labels: Labels, read: () => number): () => void {
  return showSamples(name, () => [{ labels, value: read() }]);
}

/**
 * The same of several numbers, whose labels are found when they are read.
 * @returns ends it
 */
export function showSamples(name: MetricName, read: Read): () => void {
  const ofName = reads.get(name) ?? new Set();
  reads.set(name, ofName);
  ofName.add(read);
  return () => void ofName.delete(read);
}

/** All metrics with their values of this moment, in the text format of Prometheus. */
export function gaugesText(): string {
  let text = "";
  for (const [name, { type, help }] of Object.entries(METRICS)) {
    const sums = new Map<string, number>();
    for (const read of reads.get(name as MetricName) ?? []) {
      for (const { labels, value, suffix = "" } of read()) {
        const series = `${name}${suffix}${textOf(labels)}`;
        sums.set(series, (sums.get(series) ?? 0) + value);
      }
    }
    if (sums.size === 0) continue;
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [series, sum] of sums) text += `${series} ${sum}\n`;
  }
  return text;
}

function textOf(labels: Labels): string {
  const list = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return list.length === 0 ? "" : `{${list.join(",")}}`;
}
