import { expect, test } from "@jest/globals";
import { gaugesText, showGauge } from "../../../lib/budgets/gauges.ts";

test("gauges of one name and the same labels are added up, and are gone when they end", () => {
  const ends = [
    showGauge("test_held", { what: "bodies" }, () => 3),
    showGauge("test_held", { what: "bodies" }, () => 4),
    showGauge("test_held", { what: "places" }, () => 1),
  ];
  expect(gaugesText()).toContain('# TYPE test_held gauge\ntest_held{what="bodies"} 7\ntest_held{what="places"} 1\n');
  for (const end of ends) end();
  expect(gaugesText()).not.toContain("test_held");
});
