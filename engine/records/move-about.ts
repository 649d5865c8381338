import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { ABOUT_TABLES } from "../../model/tables.ts";

/**
 * Makes what is about merged records, their notes for example, be about the survivor. One statement. The transaction is
 * the caller's, and has waited for those who write about them. docs/guides/merging.md#what-moves
 */
export async function moveAbout(query: Query, workspaceId: Uuid, survivor: Uuid, merged: Uuid[]): Promise<void> {
  const moves = ABOUT_TABLES.map(
    (table) =>
      `${table}_moved as (update ${table} set entity_id = $2 where workspace_id = $1 and entity_id = any($3::uuid[]))`,
  );
  await query(`with ${moves.join(", ")} select`, [workspaceId, survivor, printUuids(merged)]);
}
