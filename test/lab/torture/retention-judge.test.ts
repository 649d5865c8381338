import { describe, expect, it } from "@jest/globals";
import { type History, judge, type Size, TABLES } from "../../../lab/torture/retention/judge.ts";

const MIB = 1024 * 1024;
const PROMISE = "tables level off";

/** Thirty seconds in which a table has a size at each second, and the others have one that stays. */
function historyOf(table: string, mibAt: (second: number) => Partial<Size>, keptMs = 5000): History {
  const samples = Array.from({ length: 30 }, (_, i) => {
    const whole: Size = { bytes: 20 * MIB, indexBytes: 10 * MIB, rows: 1000 };
    const sizes = Object.fromEntries(
      TABLES.map((name) => [name, name === table ? { ...whole, ...mibAt(i + 1) } : whole]),
    );
    return { ms: (i + 1) * 1000, written: i, sizes: sizes as History["samples"][number]["sizes"] };
  });
  return { keptMs, samples, dropped: [] };
}

const promises = (history: History) => judge(history).map(({ promise }) => promise);

// docs/torture.md#retention-tables-level-off
describe("The judge of sizes", () => {
  it.each(TABLES)("sees that %s goes on growing, and that its indexes do", (table) => {
    expect(promises(historyOf(table, (second) => ({ bytes: second * MIB })))).toEqual([PROMISE]);
    expect(promises(historyOf(table, (second) => ({ indexBytes: second * MIB })))).toEqual([PROMISE]);
  });

  it("sees nothing in tables that grow until what is old goes, and stay so from then on", () => {
    expect(judge(historyOf("change_log", (second) => ({ bytes: Math.min(second, 9) * MIB })))).toEqual([]);
  });

  it("lets sizes wander a little, and small tables more", () => {
    expect(judge(historyOf("change_log", (second) => ({ bytes: (20 + (second > 20 ? 4 : 0)) * MIB })))).toEqual([]);
    expect(judge(historyOf("webhook_progress", (second) => ({ bytes: (1 + (second > 20 ? 2 : 0)) * MIB })))).toEqual(
      [],
    );
  });

  it("says when a run is too short to tell", () => {
    expect(promises(historyOf("change_log", () => ({}), 11_000))).toEqual(["the run is long enough to tell"]);
    expect(promises({ keptMs: 1, samples: [], dropped: [] })).toEqual(["the run is long enough to tell"]);
  });
});
