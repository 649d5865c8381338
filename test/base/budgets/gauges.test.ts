import { expect, test } from "@jest/globals";
import { gaugesText, type Sample, showGauge, showSamples } from "../../../base/budgets/gauges.ts";
import { METRICS } from "../../../base/budgets/metrics.ts";

test("numbers of one name and the same labels are added up, and are gone when they end", () => {
  const name = "contact_workspace_held";
  const ends = [
    showGauge(name, { what: "bodies" }, () => 3),
    showGauge(name, { what: "bodies" }, () => 4),
    showGauge(name, { what: "places" }, () => 1),
  ];
  expect(gaugesText()).toBe(
    `# HELP ${name} ${METRICS[name].help}\n# TYPE ${name} gauge\n${name}{what="bodies"} 7\n${name}{what="places"} 1\n`,
  );
  for (const end of ends) end();
  expect(gaugesText()).toBe("");
});

test("a histogram has its suffixes, and quotes in labels are escaped", () => {
  const samples: Sample[] = [
    { labels: { route: 'a"b\\c', le: "+Inf" }, value: 2, suffix: "_bucket" },
    { labels: { route: 'a"b\\c' }, value: 0.5, suffix: "_sum" },
  ];
  const end = showSamples("contact_workspace_http_request_duration_seconds", () => samples);
  expect(gaugesText().split("\n").slice(1)).toEqual([
    "# TYPE contact_workspace_http_request_duration_seconds histogram",
    'contact_workspace_http_request_duration_seconds_bucket{route="a\\"b\\\\c",le="+Inf"} 2',
    'contact_workspace_http_request_duration_seconds_sum{route="a\\"b\\\\c"} 0.5',
    "",
  ]);
  end();
});

test("every name follows the rules of Prometheus: a unit, and _total for counters alone", () => {
  for (const [name, { type }] of Object.entries(METRICS)) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
  }
});
