import type { Query } from "../database/query.ts";
import type { RecordKind, Uuid } from "../values/ids.ts";

/**
 * Ids of merged records → the records they were merged into. Ids that are no alias are missing. No statement for none.
 * gaps 4, "Merge": merged ids stay valid everywhere.
 */
export async function resolveAliases(
  query: Query,
  workspaceId: Uuid,
  kind: RecordKind,
  uuids: Uuid[],
): Promise<Map<Uuid, Uuid>> {
  if (uuids.length === 0) return new Map();
  const rows = await query<{ alias: Uuid; target: Uuid }>(
    `select alias_id as alias, ${kind}_id as target from ${kind}_aliases where workspace_id = $1 and alias_id = any($2::uuid[])`,
    [workspaceId, uuids],
  );
  return new Map(rows.map(({ alias, target }) => [alias, target]));
}
