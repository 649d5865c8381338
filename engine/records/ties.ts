import { NIL_UUID, type RecordKind, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Tie } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";

// Ties are the entries of lists of others that name a record: links, and values of contact and object fields. The log
// keeps them for what is deleted or merged, with their places. docs/decisions/0023-history.md#ties

interface TieRow {
  owner: Uuid;
  to: Uuid;
  /** Group and field of a custom value; null for a link. */
  groupId: Uuid | null;
  fieldId: Uuid | null;
  place: number;
  isShared: boolean;
}

/**
 * The ties to records of a kind that are locked, by record. One statement for each list that may have some.
 * @param tables the tables of `incomingColumns` that name one of them
 * @param survivor in a merge the record that they are merged into; each tie then says whether the list names that too
 */
export async function tiesTo(
  query: Query,
  workspaceId: Uuid,
  kind: RecordKind,
  uuids: readonly Uuid[],
  tables: ReadonlySet<string>,
  survivor: Uuid = NIL_UUID,
): Promise<Map<Uuid, Tie[]>> {
  const values = [workspaceId, printUuids(uuids), survivor];
  const found = await Promise.all(
    ALL_RECORD_TYPES.flatMap((owner) => [
      ...owner.links
        .filter(({ storage }) => storage.target === kind && tables.has(storage.table))
        .map(async ({ name, storage }) => {
          const rows = await query<TieRow>(linksSql(owner, storage), values);
          return rows.map((row) => tieOf(owner.kind, kind, row, name));
        }),
      ...(tables.has(owner.valuesTable)
        ? [
            query<TieRow>(mentionsSql(owner), values).then((rows) =>
              rows.map((row) => tieOf(owner.kind, kind, row, fieldOf(row))),
            ),
          ]
        : []),
    ]),
  );
  return Map.groupBy(found.flat(), ({ to }) => to.id);
}

function tieOf(owner: RecordKind, kind: RecordKind, row: TieRow, list: Tie["list"]): Tie {
  const { place, isShared } = row;
  return {
    owner: { kind: owner, id: row.owner },
    to: { kind, id: row.to },
    list,
    place,
    ...(isShared && { isShared }),
  };
}

function fieldOf({ groupId, fieldId }: TieRow): Tie["list"] {
  return { groupId: groupId as Uuid, fieldId: fieldId as Uuid };
}

function linksSql(
  { table: owners }: RecordType,
  { table, from, to, column }: RecordType["links"][number]["storage"],
): string {
  return `select l.${from} as owner, l.${to} as "to", null as "groupId", null as "fieldId", array_position(r.${column}, l.${to}) - 1 as place,
      $3::uuid = any(r.${column}) as "isShared"
    from ${table} l join ${owners} r on r.workspace_id = l.workspace_id and r.id = l.${from}
    where l.workspace_id = $1 and l.${to} = any($2::uuid[]) order by l.${from}`;
}

/** Positions may have gaps, where others were deleted before. */
function mentionsSql({ valuesTable, recordIdColumn: own }: RecordType): string {
  return `select v.${own} as owner, v.item as "to", v.group_id as "groupId", v.field_id as "fieldId", (
      select count(*)::int from ${valuesTable} o where o.workspace_id = $1 and o.${own} = v.${own}
        and o.group_id = v.group_id and o.field_id = v.field_id and o.position < v.position) as place,
      exists (select from ${valuesTable} o where o.workspace_id = $1 and o.${own} = v.${own}
        and o.group_id = v.group_id and o.field_id = v.field_id and o.item = $3) as "isShared"
    from ${valuesTable} v where v.workspace_id = $1 and v.item = any($2::uuid[]) order by v.${own}`;
}

/** Ids of records that were merged into these before, by record. One statement. */
export async function aliasesOf(
  query: Query,
  workspaceId: Uuid,
  kind: RecordKind,
  uuids: readonly Uuid[],
): Promise<Map<Uuid, Uuid[]>> {
  const rows = await query<{ id: Uuid; alias: Uuid }>(
    `select ${kind}_id as id, alias_id as alias from ${kind}_aliases where workspace_id = $1 and ${kind}_id = any($2::uuid[])`,
    [workspaceId, printUuids(uuids)],
  );
  const found = new Map<Uuid, Uuid[]>();
  for (const { id, alias } of rows) found.set(id, [...(found.get(id) ?? []), alias]);
  return found;
}
