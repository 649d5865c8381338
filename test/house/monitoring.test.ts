import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parser as promQl } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";
import { METRICS } from "../../base/budgets/metrics.ts";
import { findOrInstall, say } from "../../lab/harness/apt.ts";
import { prometheusRule } from "../../scripts/alerts.ts";
import { testFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "monitoring");
const textOf = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string }[];
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(textOf("monitoring", "rules.yaml"));
const rules = groups.flatMap((group) => group.rules);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const { panels }: { panels: Panel[] } = JSON.parse(textOf("monitoring", "grafana-dashboard.json"));
const drawn = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** The names of the metrics in an expression, in which Grafana has put in its variables. */
function metricsIn(template: string): string[] {
  const expr = template.replaceAll("$__rate_interval", "5m");
  const names: string[] = [];
  promQl.parse(expr).iterate({
    enter({ type, node, from, to }) {
      if (type.isError) throw new Error(`No PromQL: ${expr.slice(0, from)} ⟵ ${expr.slice(from, to)}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") names.push(expr.slice(from, to));
    },
  });
  return names.map((name) => (recorded.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "")));
}

const isKnown = (name: string) => Object.hasOwn(METRICS, name) || recorded.has(name);

describe("The rules for Prometheus (monitoring/rules.yaml)", () => {
  it.each(rules.map(({ alert, record, expr }) => [alert ?? record, expr]))(
    "are PromQL about metrics that there are: %s",
    (_, expr) => {
      const names = metricsIn(String(expr));
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !isKnown(name))).toEqual([]);
    },
  );

  it("are those of the operator of Prometheus, too", () => {
    const resource = textOf("k8s", "monitoring", "alerts.yaml");
    expect(resource).toBe(prometheusRule());
    expect(parse(resource)).toMatchObject({ kind: "PrometheusRule", spec: { groups } });
  });
});

const promtool = findOrInstall("promtool", "prometheus");
if ("missing" in promtool) say(`${promtool.missing}. The rules for alerts are not tried.`);

("path" in promtool ? describe : describe.skip)("promtool", () => {
  const files = testFolder();
  afterAll(() => files.remove());
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("path" in promtool ? promtool.path : "", args, {
      cwd: files.path,
      encoding: "utf8",
    });
    return { status, said: stdout + stderr };
  };

  it("takes the rules, and each alert of the cases is raised when it should be", () => {
    copyFileSync(join(FOLDER, "rules.yaml"), join(files.path, "rules.yaml"));
    copyFileSync(join(import.meta.dirname, "alerts.promtool.yaml"), join(files.path, "cases.yaml"));
    expect(run("check", "rules", "rules.yaml")).toMatchObject({ status: 0 });
    expect(run("test", "rules", "cases.yaml")).toMatchObject({ status: 0 });
  });
});

/** Metrics that tell nothing about how the server is, or that are there for its developers only. */
const NOT_DRAWN = new Set([
  "nodejs_heap_size_total_bytes",
  "nodejs_external_memory_bytes",
  "contact_workspace_event_loop_turn_max_seconds",
]);

describe("The dashboard for Grafana (monitoring/grafana-dashboard.json)", () => {
  it.each(drawn.map(({ title, expr }) => [title, expr]))("draws metrics that there are: %s", (_, expr) => {
    const names = metricsIn(String(expr));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !Object.hasOwn(METRICS, name))).toEqual([]);
  });

  it("draws every metric", () => {
    const names = new Set(drawn.flatMap(({ expr }) => metricsIn(expr)));
    expect(Object.keys(METRICS).filter((name) => !names.has(name) && !NOT_DRAWN.has(name))).toEqual([]);
  });

  it("has panels with ids and places of their own", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it("is a dashboard by the types of Grafana, which find a slip of the pen", () => {
    const text = textOf("monitoring", "grafana-dashboard.json");
    expect(faultsByTypes(text)).toBe("");
    expect(faultsByTypes(text.replace('"mode": "absolute"', '"mode": "absolut"'))).toContain('"absolut"');
    expect(faultsByTypes(text.replace('"gridPos"', '"gridpos"'))).toContain("gridpos");
  });
});

/** Faults of a dashboard that the compiler of TypeScript finds by the types of Grafana; empty without any. */
function faultsByTypes(dashboard: string): string {
  // The compiler finds packages from here.
  const folder = join(ROOT, "node_modules", ".cache", `dashboard-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const file = join(folder, "dashboard.ts");
    writeFileSync(file, `${TYPE_OF_JSON}\nexport const dashboard: OfJson<Dashboard> = ${dashboard};\n`);
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--pretty", "false"];
    const modules = ["--module", "nodenext", "--types", "", "--target", "es2024"];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, "node_modules", "typescript", "bin", "tsc"), ...options, ...modules, file],
      { cwd: folder, encoding: "utf8" },
    );
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A type as JSON has it: the members of an enum are their values. */
const TYPE_OF_JSON = `
import type { Dashboard } from "@grafana/schema" with { "resolution-mode": "import" };
type OfJson<T> = T extends string ? \`\${T}\` : T extends (infer E)[] ? OfJson<E>[] : T extends object ? { [K in keyof T]: OfJson<T[K]> } : T;
`;
