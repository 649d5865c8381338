/** What a gauge is about: the values of its labels, by their names. */
type Labels = Readonly<Record<string, string>>;

interface Gauge {
  type: "gauge" | "counter";
  labels: Labels;
  read(): number;
}

const gauges = new Map<string, Gauge[]>();

/**
 * Shows a number of this process in its metrics (docs/guides/running.md#metrics). Numbers of one name and the same labels are
 * added up: there may be several of a kind.
 * @param name by the rules of Prometheus: with its unit at the end, and `_total` for a counter
 * @returns ends it
 */
export function showGauge(name: string, labels: Labels, read: () => number, type: Gauge["type"] = "gauge"): () => void {
  const gauge = { type, labels, read };
  const ofName = gauges.get(name) ?? [];
  gauges.set(name, ofName);
  ofName.push(gauge);
  return () => {
    const at = ofName.indexOf(gauge);
    if (at >= 0) ofName.splice(at, 1);
  };
}

/** All gauges with their values of this moment, in the text format of Prometheus. */
export function gaugesText(): string {
  let text = "";
  for (const [name, ofName] of gauges) {
    const [first] = ofName;
    if (!first) continue;
    const sums = new Map<string, number>();
    for (const { labels, read } of ofName) {
      const written = textOf(labels);
      sums.set(written, (sums.get(written) ?? 0) + read());
    }
    text += `# TYPE ${name} ${first.type}\n`;
    for (const [labels, sum] of sums) text += `${name}${labels} ${sum}\n`;
  }
  return text;
}

function textOf(labels: Labels): string {
  const list = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return list.length === 0 ? "" : `{${list.join(",")}}`;
}
