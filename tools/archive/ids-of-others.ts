import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { PARTS } from "./parts.ts";

/**
 * Whether a workspace has an id that a thing of the same kind in another workspace has too. All ids are grouped: PostgreSQL knows
 * nothing yet of rows that were imported just now, takes them for one, and would go through the others for each of them.
 */
export async function hasIdsOfOthers(query: Query, workspaceId: Uuid): Promise<boolean> {
  for (const { table, column } of idColumns()) {
    const [shared] = await query(
      `select 1 from ${table} group by ${column} having count(*) > 1 and bool_or(workspace_id = $1) limit 1`,
      [workspaceId],
    );
    if (shared) return true;
  }
  return false;
}

/** Table → column of the ids by which its things are known. Other rows have their keys from what they belong to. */
function idColumns(): { table: string; column: string }[] {
  return PARTS.flatMap(({ table, key }) => {
    const column = key.find((name) => name === "id" || name === "alias_id");
    return column === undefined ? [] : [{ table, column }];
  });
}
