import type { Catalog } from "../catalog/catalog.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import { createBinder } from "../database/binder.ts";
import type { Query } from "../database/query.ts";
import { RECORD_KINDS, RECORD_TABLES } from "../resources/record-type.ts";
import { type RecordKind, toId, type Uuid, uuidsOf } from "../values/ids.ts";
import { type RecordRow, valueEntries } from "./select.ts";

/** A record as custom values show it. docs/guides/custom-fields.md#values-in-answers */
export interface NamedRecord {
  id: string;
  fullName: string;
  entityType: RecordKind;
}

/**
 * The records that the custom values of these rows name, by id; what was deleted is missing. Runs one statement for all of them,
 * and none when nothing is named.
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

/** The records of any kind with these ids, by id; what does not exist is missing. One statement, and none without ids. */
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
