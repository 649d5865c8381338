import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { ABOUT_TABLES } from "../../model/tables.ts";

/**
 * Moves rows about merged records, such as notes, to the surviving record. One statement. The transaction belongs to
 * the caller, and has waited for other writers of such rows. docs/guides/merging.md#what-moves
 */
export async function moveAbout(query: Query, workspaceId: Uuid, survivor: Uuid, merged: Uuid[]): Promise<void> {
  const moves = ABOUT_TABLES.map(
    (table) =>
      `${table}_moved as (update ${table} set entity_id = $2 where workspace_id = $1 and entity_id = any($3::uuid[]))`,
  );
  await query(`with ${moves.join(", ")} select`, [workspaceId, survivor, printUuids(merged)]);
}
