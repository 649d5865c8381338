import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { LinksStorage } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import type { WriteContext } from "./draft.ts";
import type { NamingColumn } from "./tables-with.ts";

// Rows of others name a record in their links and in values of custom fields. The indexes find these rows. Code that
// deletes or merges records mends them.

/**
 * Takes records that are about to be deleted out of the links and values of others. They are locked against new links
 * and mentions. The transaction is the caller's.
 * @param tables the tables of `incomingColumns` that name one of them
 */
export async function removeIncomingLinks(
  { query, caller }: WriteContext,
  kind: RecordKind,
  gone: Uuid[],
  tables: ReadonlySet<string>,
): Promise<void> {
  const { workspaceId } = caller;
  const ties = tiesIn(kind, tables);
  await Promise.all([
    ...ties.links.map(({ owner, links }) => removeLinks(query, workspaceId, owner, links, gone)),
    ...ties.mentions.map((owner) =>
      query(
        `with outdated as (delete from ${owner.valuesTable} where workspace_id = $1 and item = any($4::uuid[]) returning ${owner.recordIdColumn} as id)
         ${renameMentions(owner, "select id from outdated")}`,
        [workspaceId, gone.map((uuid) => toId(kind, uuid)), null, printUuids(gone)],
      ),
    ),
  ]);
}

/**
 * Makes links and custom values that name merged records name the survivor: once, in the place of the first. The
 * transaction is the caller's. docs/guides/merging.md#links-and-mentions
 * @param tables the tables of `incomingColumns` that name one of the merged records
 */
export async function moveIncomingLinks(
  { query, caller }: WriteContext,
  { kind }: RecordType,
  survivor: Uuid,
  merged: Uuid[],
  tables: ReadonlySet<string>,
): Promise<void> {
  const { workspaceId } = caller;
  const ties = tiesIn(kind, tables);
  await Promise.all([
    ...ties.links.map(({ owner, links }) => moveLinks(query, workspaceId, owner, links, { survivor, merged })),
    ...ties.mentions.map((owner) => moveMentions(query, workspaceId, owner, kind, { survivor, merged })),
  ]);
}

/** Links of a type of records to another kind. */
interface Linking {
  owner: RecordType;
  links: LinksStorage;
}

function linksTo(kind: RecordKind): Linking[] {
  return ALL_RECORD_TYPES.flatMap((owner) =>
    owner.links.flatMap(({ storage }) => (storage.target === kind ? [{ owner, links: storage }] : [])),
  );
}

/** Columns in which links and custom values refer to records of a kind. Usually no row does. */
export function incomingColumns(kind: RecordKind): NamingColumn[] {
  return [
    ...linksTo(kind).map(({ links: { table, to } }): NamingColumn => [table, to]),
    ...ALL_RECORD_TYPES.map(({ valuesTable }): NamingColumn => [valuesTable, "item"]),
  ];
}

/** Links and custom values in these tables that refer to records of a kind, by type. */
function tiesIn(kind: RecordKind, tables: ReadonlySet<string>): { links: Linking[]; mentions: RecordType[] } {
  return {
    links: linksTo(kind).filter(({ links: { table } }) => tables.has(table)),
    mentions: ALL_RECORD_TYPES.filter(({ valuesTable }) => tables.has(valuesTable)),
  };
}

function removeLinks(
  query: Query,
  workspaceId: Uuid,
  owner: RecordType,
  { table, from, to, column }: LinksStorage,
  gone: Uuid[],
): Promise<unknown> {
  return query(
    `with outdated as (delete from ${table} where workspace_id = $1 and ${to} = any($2::uuid[]) returning ${from} as id)
     update ${owner.table} r set ${column} = array(
       select id from unnest(r.${column}) with ordinality l(id, place) where id <> all($2::uuid[]) order by place)
     where r.workspace_id = $1 and r.id in (select id from outdated)`,
    [workspaceId, printUuids(gone)],
  );
}

interface Merged {
  survivor: Uuid;
  merged: Uuid[];
}

async function moveLinks(
  query: Query,
  workspaceId: Uuid,
  owner: RecordType,
  { table, from, to, column }: LinksStorage,
  { survivor, merged }: Merged,
): Promise<void> {
  // The rows are locked in the order of their ids, so that two transactions wait for each other instead of deadlocking.
  await query(
    `with owners as materialized (
       select r.id from ${owner.table} r where r.workspace_id = $1
         and r.id in (select ${from} from ${table} where workspace_id = $1 and ${to} = any($3::uuid[])) order by r.id for no key update
     ), moved as (
       update ${owner.table} r set ${column} = array(
         select id from (
           select case when l.id = any($3::uuid[]) then $2::uuid else l.id end as id, min(place) as place
           from unnest(r.${column}) with ordinality l(id, place) group by 1) ids order by place)
       from owners o where r.workspace_id = $1 and r.id = o.id
       returning r.id
     )
     insert into ${table} (workspace_id, ${from}, ${to}) select $1, id, $2 from moved on conflict do nothing`,
    [workspaceId, survivor, printUuids(merged)],
  );
  await query(`delete from ${table} where workspace_id = $1 and ${to} = any($2::uuid[])`, [
    workspaceId,
    printUuids(merged),
  ]);
}

async function moveMentions(
  query: Query,
  workspaceId: Uuid,
  owner: RecordType,
  kind: RecordKind,
  { survivor, merged }: Merged,
): Promise<void> {
  const { valuesTable: table, recordIdColumn: own } = owner;
  const ids = merged.map((uuid) => toId(kind, uuid));
  await Promise.all([
    query(renameMentions(owner, `select ${own} from ${table} where workspace_id = $1 and item = any($4::uuid[])`), [
      workspaceId,
      ids,
      toId(kind, survivor),
      printUuids(merged),
    ]),
    query(
      `delete from ${table} v where v.workspace_id = $1 and v.item = any($2::uuid[]) and exists (
         select from ${table} o where o.workspace_id = $1 and o.${own} = v.${own} and o.group_id = v.group_id and o.field_id = v.field_id
           and o.item = any($2::uuid[]) and o.position < v.position)`,
      [workspaceId, printUuids([...merged, survivor])],
    ),
    query(`update ${table} set item = $3 where workspace_id = $1 and item = any($2::uuid[])`, [
      workspaceId,
      printUuids(merged),
      survivor,
    ]),
  ]);
}

/**
 * SQL that puts the id $3 in the place of the ids $2 in all lists of the memberships of some records, and takes them
 * out where $3 is null. A list that becomes empty goes, as the value of a field that is unset. $1 is the workspace.
 * @param owners a select of the uuids of these records
 */
function renameMentions({ table }: RecordType, owners: string): string {
  return `
update ${table} r set memberships = (
  select coalesce(json_agg(json_build_object('groupId', m.entry -> 'groupId', 'values', v.after) order by m.place), '[]')
  from jsonb_array_elements(r.memberships::jsonb) with ordinality m(entry, place)
  cross join lateral (
    select coalesce(json_object_agg(key, stored), '{}') as after from (
      select key, case when jsonb_typeof(value) = 'array' then (
        select jsonb_agg(id order by place) from (
          select case when l.id = any($2::text[]) then $3::text else l.id end as id, min(place) as place
          from jsonb_array_elements_text(value) with ordinality l(id, place) group by 1) ids
        where id is not null) else value end as stored
      from jsonb_each(m.entry -> 'values')) fields
    where stored is not null) v)
where r.workspace_id = $1 and r.id in (${owners})`;
}
