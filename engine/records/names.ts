import type { Caller } from "../../base/contract/caller.ts";
import { kindOf, RECORD_KINDS, type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids, printUuids } from "../../database/uuid-list.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import { readerOf } from "./select.ts";
import { groupTexts } from "./shown-groups.ts";
import type { ShownRecord } from "./shown-record.ts";

/** A record as links and custom values show it. docs/guides/custom-fields.md#values-in-answers */
export interface NamedRecord {
  id: string;
  fullName: string;
  entityType: RecordKind;
}

/** Records that are shown by their names, by id. */
export type RecordNames = Map<string, NamedRecord>;

/**
 * Adds to `names` the records that these link to or mention in custom values, which are not there yet; what was deleted
 * stays missing. Runs one statement for all of them; undefined when nothing is missing, and there is nothing to wait
 * for.
 */
export function addNames(
  names: RecordNames,
  { query, definitions, caller }: { query: Query; definitions: Definitions; caller: Caller },
  resource: RecordType,
  records: ShownRecord[],
): Promise<void> | undefined {
  const group = groupTexts(definitions, caller);
  const wanted = new Map<string, Uuid>();
  for (const record of records) {
    for (const [i, { storage }] of resource.links.entries())
      for (const uuid of record.links[i] ?? []) wanted.set(toId(storage.target, uuid), uuid);
    for (const id of mentionsIn(record, group)) wanted.set(id, id.slice(id.indexOf("_") + 1) as Uuid);
  }
  for (const id of names.keys()) wanted.delete(id);
  if (wanted.size === 0) return undefined;
  return nameRecords(query, definitions.workspaceId, wanted).then((found) => {
    for (const record of found) names.set(record.id, record);
  });
}

/** The names of linked records that `selectNamed` gives with a row. */
export function namesBeside(resource: RecordType, row: TextRow): RecordNames {
  const names: RecordNames = new Map();
  const { columns, place } = readerOf(resource);
  const text = row[columns.length];
  if (!text) return names;
  const labels = JSON.parse(text) as Record<Uuid, string>;
  for (const { name, storage } of resource.links)
    for (const uuid of parseUuids(row[place[name] ?? 0] ?? "{}")) {
      const label = labels[uuid];
      if (label === undefined) continue;
      const record = namedRecord(storage.target, uuid, label);
      names.set(record.id, record);
    }
  return names;
}

/** The ids in the custom values of a record, in its visible groups. */
function mentionsIn({ memberships }: ShownRecord, group: ReturnType<typeof groupTexts>): string[] {
  const ids: string[] = [];
  for (const { groupId, values } of memberships)
    for (const field of group(groupId)?.references ?? []) ids.push(...(values[field] ?? []));
  return ids;
}

/** The records of any kind with these ids; what does not exist is missing. One statement, and none without ids. */
export async function nameRecords(query: Query, workspaceId: Uuid, wanted: Map<string, Uuid>): Promise<NamedRecord[]> {
  if (wanted.size === 0) return [];
  const byKind = Map.groupBy(wanted, ([id]) => kindOf(id));
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const parts = RECORD_KINDS.flatMap((kind) => {
    const ids = byKind.get(kind);
    if (!ids) return [];
    const { table, label } = RECORD_TYPES[kind];
    const uuids = bind(printUuids(ids.map(([, uuid]) => uuid)), "uuid[]");
    return `select '${kind}', id, ${label} from ${table} where workspace_id = ${workspace} and id = any(${uuids})`;
  });
  const found = await query<TextRow>(parts.join(" union all "), bind.values, "texts");
  return found.map(([kind, uuid, label]) => namedRecord(kind as RecordKind, uuid as Uuid, label ?? ""));
}

/** A record as it is shown by its name. */
export function namedRecord(kind: RecordKind, uuid: Uuid, label: string): NamedRecord {
  return { id: toId(kind, uuid), fullName: label, entityType: kind };
}
