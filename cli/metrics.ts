import { monitorEventLoopDelay } from "node:perf_hooks";
import { gaugesText } from "../lib/budgets/gauges.ts";

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

/** The state of this process in the text format of Prometheus. The delay covers the time since the last reading. */
export function processMetrics(): string {
  const { user, system } = process.cpuUsage();
  const delayS = Number.isNaN(delay.mean) ? 0 : delay.percentile(99) / 1e9;
  delay.reset();
  const gauges = [
    ["process_cpu_seconds_total", "counter", (user + system) / 1e6],
    ["process_resident_memory_bytes", "gauge", process.memoryUsage.rss()],
    ["process_start_time_seconds", "gauge", Math.round(Date.now() / 1000 - process.uptime())],
    ["nodejs_eventloop_delay_p99_seconds", "gauge", delayS],
  ];
  const own = gauges.map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}\n`).join("");
  return own + gaugesText();
}
