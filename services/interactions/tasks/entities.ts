import { RECORD_KINDS, type RecordKind, toId, type Uuid, uuidsOf } from "../../../base/values/ids.ts";
import type { Binder } from "../../../database/binder.ts";
import type { Query } from "../../../database/query.ts";
import { resolveAliases } from "../../../model/resources/aliases.ts";

/** Ids of records that parameters name → what they stand for. */
export type NamedRecords = Map<string, { kind: RecordKind; uuid: Uuid }>;

/**
 * Adds the names of the records of these ids; merged records have the names of their surviving records. Others are left
 * out. One statement for each kind. docs/guides/merging.md#aliases
 */
export async function nameEntities(query: Query, workspaceId: Uuid, ids: string[], named: NamedRecords): Promise<void> {
  for (const kind of RECORD_KINDS) {
    const uuids = uuidsOf(kind, ids);
    const survivors = await resolveAliases(query, workspaceId, kind, uuids);
    for (const uuid of uuids) named.set(toId(kind, uuid), { kind, uuid: survivors.get(uuid) ?? uuid });
  }
}

/** SQL that is true where the row `t` is about one of these records. */
export function aboutRecords(named: NamedRecords, ids: string[], bind: Binder): string {
  const records = ids.flatMap((id) => named.get(id) ?? []);
  const parts = RECORD_KINDS.flatMap((kind) => {
    const uuids = records.flatMap((record) => (record.kind === kind ? [record.uuid] : []));
    return uuids.length > 0 ? [`(t.entity_id = any(${bind(uuids, "uuid[]")}) and t.entity_kind = '${kind}')`] : [];
  });
  return parts.length > 0 ? parts.join(" or ") : "false";
}
