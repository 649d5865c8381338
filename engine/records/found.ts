import { type RecordKind, toId, type Uuid, uuidOf, uuidsOf } from "../../base/values/ids.ts";
import { nameKey } from "../../model/fields/name.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import type { Draft, WriteContext } from "./draft.ts";
import type { Link } from "./select.ts";

/** The records that drafts refer to, all looked up at once and locked against deletion until the transaction ends. */
export interface Found {
  record(kind: RecordKind, id: string): Link | undefined;
  /** Whether a record is in a group. */
  isIn(id: string, groupUuid: Uuid): boolean;
  companyNamed(name: string): Link | undefined;
}

/**
 * Finds and locks the records that drafts name. It takes one statement for each kind of record that is named, another
 * one when some of them may have been merged, and one for names of companies.
 */
export async function findNamed(writing: WriteContext, resource: RecordType, drafts: Draft[]): Promise<Found> {
  const ids = new Set<string>();
  const keys = new Set<string>();
  for (const draft of drafts) {
    for (const { name, storage } of resource.links)
      collectLinks(draft.sent[name], ids, storage.byName ? keys : undefined);
    collectIds(draft.sent.customFieldValues, ids);
  }
  const records = await lockByIds(writing, ids);
  const named = await companiesByKey(writing, [...keys]);
  return {
    record: (kind, id) => (uuidOf(kind, id) ? records.get(id) : undefined),
    isIn: (id, groupUuid) => records.get(id)?.groupIds.includes(groupUuid) ?? false,
    companyNamed: (name) => named.get(nameKey(name)),
  };
}

/** Records by the ids that name them, with the groups that they are in. */
export type FoundRecords = Map<string, Link & { groupIds: Uuid[] }>;

/** Every transaction locks in the order of kinds and ids, so that two wait for each other instead of deadlocking. */
const LOCK_ORDER = ["company", "object", "person"] as const satisfies readonly RecordKind[];

/**
 * Records by ids of any kinds, including ids of merged records, locked against deletion until the transaction ends.
 * Unknown ids, and ids of anything but records, are missing. It takes one statement for each kind, and another one when
 * some of its records may have been merged.
 */
export async function lockByIds(writing: WriteContext, ids: Iterable<string>): Promise<FoundRecords> {
  const records: FoundRecords = new Map();
  const all = new Set(ids);
  for (const kind of LOCK_ORDER) {
    const uuids = uuidsOf(kind, all);
    if (uuids.length === 0) continue;
    for (const row of await lockRecords(writing, kind, uuids)) records.set(toId(kind, row.uuid), row);
    await followAliases(writing, kind, uuids, records);
  }
  return records;
}

/** Companies by the keys of their names. Until the transaction ends they can be neither renamed nor deleted. */
export async function companiesByKey({ query, caller }: WriteContext, keys: string[]): Promise<Map<string, Link>> {
  if (keys.length === 0) return new Map();
  const rows = await query<Link & { key: string }>(
    `select id as uuid, name as label, '\\x' || encode(name_key, 'hex') as key from companies
     where workspace_id = $1 and name_key = any($2::bytea[]) order by id for key share`,
    [caller.workspaceId, keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

function lockRecords(
  { query, caller }: WriteContext,
  kind: RecordKind,
  uuids: Uuid[],
): Promise<(Link & { groupIds: Uuid[] })[]> {
  const { table, label } = RECORD_TYPES[kind];
  return query(
    `select id as uuid, ${label} as label,
       array(select group_id from ${kind}_groups m where m.workspace_id = $1 and m.${kind}_id = r.id) as "groupIds"
     from ${table} r where workspace_id = $1 and id = any($2::uuid[]) order by id for key share of r`,
    [caller.workspaceId, uuids],
  );
}

/** Adds the surviving records of merged ones, under the ids that drafts use. docs/guides/merging.md#aliases */
async function followAliases(
  writing: WriteContext,
  kind: RecordKind,
  uuids: Uuid[],
  records: FoundRecords,
): Promise<void> {
  const missing = uuids.filter((uuid) => !records.has(toId(kind, uuid)));
  const survivors = await resolveAliases(writing.query, writing.caller.workspaceId, kind, missing);
  if (survivors.size === 0) return;
  const rows = new Map(
    (await lockRecords(writing, kind, [...new Set(survivors.values())])).map((row) => [row.uuid, row]),
  );
  for (const [alias, survivor] of survivors) {
    const row = rows.get(survivor);
    if (row) records.set(toId(kind, alias), row);
  }
}

function collectLinks(list: unknown, ids: Set<string>, keys: Set<string> | undefined): void {
  if (!Array.isArray(list)) return;
  for (const { id, name } of list as { id?: string; name?: string }[]) {
    if (id !== undefined) ids.add(id);
    else if (name !== undefined) keys?.add(nameKey(name));
  }
}

/**
 * Collects every id of an `{ id }` in a list, whatever field it is sent for. Whether it may be named there is judged
 * later.
 */
function collectIds(values: unknown, ids: Set<string>): void {
  if (typeof values !== "object" || values === null) return;
  for (const value of Object.values(values)) {
    const list: unknown[] = Array.isArray(value) ? value : [];
    for (const id of list.flatMap(idIn)) ids.add(id);
    if (!Array.isArray(value)) collectIds(value, ids);
  }
}

function idIn(item: unknown): string[] {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  return typeof id === "string" ? [id] : [];
}
