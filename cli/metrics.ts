import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver, performance } from "node:perf_hooks";
import type { ServiceBroker } from "moleculer";
import { gaugesText, type Sample, showGauge, showSamples } from "../base/budgets/gauges.ts";
import { runningReleases } from "../bus/releases.ts";
import type { Env } from "../config/env.ts";
import { release } from "../config/release.ts";
import { serviceFolders, serviceNames } from "../config/service-folders.ts";

const MS_PER_S = 1000;
const US_PER_S = 1e6;
const NS_PER_S = 1e9;

/** Entry of Node about a garbage collection; its types do not list `detail`. */
type Collection = PerformanceEntry & { detail: { kind: number } };

/** Node's numbers of the kinds of collections. */
const GC_KINDS: Record<number, string> = { 1: "minor", 4: "minor", 8: "major", 16: "incremental", 32: "weakcb" };

/**
 * Shows the state of this process in its metrics, and begins to watch what has to be watched for that: the delay of the
 * event loop and the collection of garbage. Call it once.
 * @param env settings that alerts compare with
 * @returns the text of `/metrics`. The delay covers the time since the last reading.
 */
export function watchProcess({ backupAgeMaxS }: Pick<Env, "backupAgeMaxS">): () => string {
  showGauge("contact_workspace_build_info", { version: release(), node: process.versions.node }, () => 1);
  showGauge("process_cpu_seconds_total", {}, cpuSeconds);
  showGauge("process_resident_memory_bytes", {}, () => process.memoryUsage.rss());
  showGauge("process_start_time_seconds", {}, () => Math.round(Date.now() / MS_PER_S - process.uptime()));
  showGauge("contact_workspace_backup_age_max_seconds", {}, () => backupAgeMaxS);
  showHeap();
  showCollections();
  showEventLoop();
  return gaugesText;
}

/** Shows whether the process is connected to its bus, and the processes and services there; nothing without a bus. */
export function showBus(broker: ServiceBroker): void {
  const { transit, registry } = broker;
  if (!transit) return;
  showGauge("contact_workspace_bus_connected", {}, () => Number(transit.tx.connected));
  showSamples("contact_workspace_bus_processes", () =>
    runningReleases(broker).map(({ release: version, count }) => ({ labels: { version }, value: count })),
  );
  showSamples("contact_workspace_service_processes", () => {
    const running = registry.getServiceList({ onlyAvailable: true }).map(({ fullName }) => fullName);
    return serviceFolders()
      .flatMap(serviceNames)
      .map((service) => ({ labels: { service }, value: running.filter((name) => name === service).length }));
  });
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / US_PER_S;
}

function showHeap(): void {
  showGauge("nodejs_heap_size_used_bytes", {}, () => process.memoryUsage().heapUsed);
  showGauge("nodejs_heap_size_total_bytes", {}, () => process.memoryUsage().heapTotal);
  showGauge("nodejs_external_memory_bytes", {}, () => process.memoryUsage().external);
}

function showCollections(): void {
  const kinds = new Map<string, { count: number; sumS: number }>();
  new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as Collection[]) {
      const kind = GC_KINDS[detail.kind] ?? "other";
      const { count, sumS } = kinds.get(kind) ?? { count: 0, sumS: 0 };
      kinds.set(kind, { count: count + 1, sumS: sumS + duration / MS_PER_S });
    }
  }).observe({ entryTypes: ["gc"] });
  showSamples("nodejs_gc_duration_seconds", () =>
    [...kinds].flatMap(([kind, { count, sumS }]): Sample[] => [
      { labels: { kind }, value: sumS, suffix: "_sum" },
      { labels: { kind }, value: count, suffix: "_count" },
    ]),
  );
}

function showEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let max = 0;
  showGauge("nodejs_eventloop_delay_p99_seconds", {}, () => {
    const p99 = Number.isNaN(delay.mean) ? 0 : delay.percentile(99) / NS_PER_S;
    max = Number.isNaN(delay.mean) ? 0 : delay.max / NS_PER_S;
    delay.reset();
    return p99;
  });
  // Is read after the one above, in the order of the table.
  showGauge("nodejs_eventloop_delay_max_seconds", {}, () => max);
  showGauge("nodejs_eventloop_busy_seconds_total", {}, () => performance.eventLoopUtilization().active / MS_PER_S);
}
