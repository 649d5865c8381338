import type { ImportRow } from "../../lib/records/import-entry.ts";
import type { ImportResult } from "../../lib/records/import-rows.ts";
import type { Admin } from "../admin.ts";

/** How many records an import has made when it asks for new statistics: some seconds after its beginning, and once the tables are large. */
const MADE = [2_000, 20_000];

/** Lets PostgreSQL look at its tables while they grow. docs/guides/import.md#large-files */
export function withStatistics(
  { call }: Pick<Admin, "call">,
  write: (rows: ImportRow[]) => Promise<ImportResult[]>,
): (rows: ImportRow[]) => Promise<ImportResult[]> {
  const due = [...MADE];
  let made = 0;
  return async (rows) => {
    const results = await write(rows);
    made += results.filter((result) => "outcome" in result && result.outcome === "created").length;
    if (made < (due[0] ?? Number.POSITIVE_INFINITY)) return results;
    due.shift();
    await call("workspaces.refreshStatistics", {});
    return results;
  };
}
