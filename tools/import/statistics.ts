import type { ImportRow } from "../../engine/records/import-entry.ts";
import type { ImportResult } from "../../engine/records/import-rows.ts";
import type { Admin } from "../terminal/admin.ts";

/**
 * Numbers of created records at which an import refreshes the statistics: some seconds after its beginning, and once
 * the tables are large.
 */
const MADE = [2_000, 20_000];

/**
 * Lets PostgreSQL analyze tables that have grown. It does so by itself a minute later, so a failure here does not fail
 * the import.
 */
export async function refreshStatistics({ call }: Pick<Admin, "call">): Promise<void> {
  await call("workspaces.refreshStatistics", {}).catch(() => undefined);
}

/** Lets PostgreSQL look at its tables while an import lets them grow. docs/guides/import.md#large-files */
export function withStatistics(
  admin: Pick<Admin, "call">,
  write: (rows: ImportRow[]) => Promise<ImportResult[]>,
): (rows: ImportRow[]) => Promise<ImportResult[]> {
  const due = [...MADE];
  let made = 0;
  return async (rows) => {
    const results = await write(rows);
    made += results.filter((result) => "outcome" in result && result.outcome === "created").length;
    if (made < (due[0] ?? Number.POSITIVE_INFINITY)) return results;
    due.shift();
    await refreshStatistics(admin);
    return results;
  };
}
