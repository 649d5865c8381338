import { expect, it } from "@jest/globals";
import { tortureRetention } from "../../../lab/torture/retention/program.ts";

// The small version of `npm run torture -- retention`; the checker has tests of its own. How large tables get in
// seconds tells nothing yet, so only what must be gone is looked at. It is kept for longer than a statement of a busy
// machine takes.
it("what is old goes while events are written and delivered (docs/torture.md#retention-tables-level-off)", async () => {
  const { history } = await tortureRetention({ events: 6000, perSecond: 1000, keptS: 3, note: () => undefined });
  const last = history.samples.at(-1);
  expect(last?.written).toBe(6000);
  for (const table of ["change_log", "deliveries"] as const) expect(last?.sizes[table].rows).toBeLessThan(6000);
  expect(history.dropped.length).toBeGreaterThan(2);
});
