import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { METRICS, metricsTable } from "../../base/budgets/metrics.ts";
import { watchProcess } from "../../cli/metrics.ts";
import { readEnv } from "../../config/env.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { client } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";

/** What only some processes show, or only when there is something to show. */
const SOMETIMES = new Set([
  "contact_workspace_bus_connected",
  "contact_workspace_bus_processes_out",
  "contact_workspace_service_processes",
  "contact_workspace_bus_processes",
  "contact_workspace_event_loop_turn_max_seconds",
  "contact_workspace_queue_oldest_age_seconds",
  "contact_workspace_backup_timestamp_seconds",
  "contact_workspace_assistant_calls_total",
]);
const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = readFileSync(join(ROOT, "docs/guides/monitoring.md"), "utf8");

describe("The metrics of a process (docs/guides/monitoring.md#metrics)", () => {
  let server: TestServer;
  let world: World;
  let text: () => string;

  beforeAll(async () => {
    text = watchProcess(readEnv({}));
    server = await startProcess({ env: { METRICS_PORT: String(await freePort()) } });
    world = await startWorld(server.database);
    const { ada } = await world.workspace();
    await client(server, ada.key).get("/v1/people");
    await until("the queues are read", () => text().includes("contact_workspace_queue_length"));
  });
  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  it("are those of the table in the guide", () => {
    expect(GUIDE).toContain(metricsTable());
  });

  it("are all of them there, each with its help and its type", async () => {
    // Garbage is collected now and then.
    const shown = await until("all are there", () => {
      const found = [...text().matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => [name, type]);
      return found.some(([name]) => name === "nodejs_gc_duration_seconds") ? found : undefined;
    });
    const expected = Object.entries(METRICS)
      .filter(([name]) => !SOMETIMES.has(name))
      .map(([name, { type }]) => [name, type]);
    expect(shown.filter(([name = ""]) => !SOMETIMES.has(name))).toEqual(expected);
    expect(text().match(/^# HELP /gm)).toHaveLength(shown.length);
  });

  it("are in the text format of Prometheus, without a series twice", () => {
    const series = text()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const label = String.raw`[a-z]+="(?:[^"\\\n]|\\.)*"`;
    const sample = new RegExp(String.raw`^[a-z_0-9]+(?:\{${label}(?:,${label})*\})? -?\d+(?:\.\d+)?(?:e[+-]\d+)?$`);
    expect(series.filter((line) => !sample.test(line))).toEqual([]);
    const names = series.map((line) => line.slice(0, line.lastIndexOf(" ")));
    expect(new Set(names).size).toBe(names.length);
  });
});
