import type { Catalog } from "../catalog/catalog.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import { createBinder } from "../database/binder.ts";
import type { Query } from "../database/query.ts";
import { RECORD_KINDS, RECORD_TABLES } from "../resources/record-type.ts";
import { type IdKind, type RecordKind, toId, type Uuid, uuidOf } from "../values/ids.ts";
import { type RecordRow, valueEntries } from "./select.ts";

/** A record as a relationship shows it. */
export interface NamedRecord {
  id: string;
  fullName: string;
  entityType: RecordKind;
}

/**
 * The records that the custom values of these rows mention, by id; what was deleted is missing. No statement when no value
 * mentions any, else one for all.
 */
export async function namesIn(query: Query, catalog: Catalog, rows: RecordRow[]): Promise<Map<string, NamedRecord>> {
  return nameRecords(query, catalog.workspaceId, mentioned(catalog, rows));
}

function mentioned(catalog: Catalog, rows: RecordRow[]): string[] {
  const memberships = rows.flatMap((row) => row.memberships ?? []);
  const ids = memberships.flatMap(({ groupId, values }) => {
    const fields = catalog.groups.get(groupId)?.fieldsByUuid;
    return valueEntries(values).flatMap(([fieldId, stored]) => {
      const field = fields?.get(fieldId);
      return field && customFieldTypes[field.type].references ? stored : [];
    });
  });
  return [...new Set(ids)];
}

/** The records with these ids, of any kind, by id. */
export async function nameRecords(query: Query, workspaceId: Uuid, ids: string[]): Promise<Map<string, NamedRecord>> {
  if (ids.length === 0) return new Map();
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const parts = RECORD_KINDS.map((kind) => {
    const { table, label } = RECORD_TABLES[kind];
    const wanted = `workspace_id = ${workspace} and id = any(${bind(uuidsOf(kind, ids), "uuid[]")})`;
    return `select '${kind}' as kind, id, ${label} as label from ${table} where ${wanted}`;
  });
  const found = await query<{ kind: RecordKind; id: Uuid; label: string }>(parts.join(" union all "), bind.values);
  return new Map(
    found.map(({ kind, id, label }) => {
      const record = { id: toId(kind, id), fullName: label, entityType: kind };
      return [record.id, record];
    }),
  );
}

/** The uuids of those ids that are of this kind. */
export function uuidsOf(kind: IdKind, ids: Iterable<string>): Uuid[] {
  return [...ids].flatMap((id) => uuidOf(kind, id) ?? []);
}
