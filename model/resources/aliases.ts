import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";

/**
 * Uuids of merged records → uuids of the records they were merged into. A uuid that is not an alias is missing. Without
 * uuids no SQL runs. docs/guides/merging.md#aliases
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
