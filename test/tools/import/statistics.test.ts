import { expect, test } from "@jest/globals";
import type { ImportRow } from "../../../engine/records/import-entry.ts";
import type { ImportResult } from "../../../engine/records/import-rows.ts";
import { withStatistics } from "../../../tools/import/statistics.ts";

test("an import asks for new statistics after 2,000 and 20,000 records that it has made", async () => {
  const asked: number[] = [];
  let made = 0;
  const admin = {
    call: async (action: string) => {
      expect(action).toBe("workspaces.refreshStatistics");
      asked.push(made);
    },
  };
  const outcome = (of: "created" | "unchanged") => ({ outcome: of, without: [] }) as unknown as ImportResult;
  const write = withStatistics(admin as never, async (rows) => {
    const results = rows.map((_, i) => outcome(i < 400 ? "created" : "unchanged"));
    made += Math.min(rows.length, 400);
    return results;
  });
  const rows = Array.from({ length: 500 }, () => ({}) as ImportRow);
  for (let batch = 0; batch < 60; batch++) expect(await write(rows)).toHaveLength(500);
  expect(asked).toEqual([2_000, 20_000]);
});
