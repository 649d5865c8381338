import { type Id, madeAt, newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query, Write } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import { companies } from "../../model/resources/companies.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";

type NewGroup = Pick<Group, "name" | "visibility">;

/** Makes a group, which has no memberships yet. */
export async function insertGroup(
  write: Write,
  workspaceId: Uuid,
  { name, visibility }: NewGroup,
): Promise<NewGroup & { uuid: Uuid; id: Id }> {
  const uuid = newUuid();
  await write("insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, $3, $4, $5)", [
    workspaceId,
    uuid,
    name,
    visibility,
    madeAt(uuid),
  ]);
  return { uuid, id: toId("group", uuid), name, visibility };
}

/** Sets name and visibility of a group. */
export async function updateGroup(
  write: Write,
  workspaceId: Uuid,
  group: Pick<Group, "uuid" | "name" | "visibility">,
): Promise<void> {
  await write("update groups set name = $3, visibility = $4 where workspace_id = $1 and id = $2", [
    workspaceId,
    group.uuid,
    group.name,
    group.visibility,
  ]);
}

/** Deletes groups with their members, fields, objects, and the values that records have there. */
export async function deleteGroups(write: Write, workspaceId: Uuid, uuids: Uuid[]): Promise<void> {
  if (uuids.length === 0) return;
  await leaveGroups(write, workspaceId, uuids);
  await write("delete from groups where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}

/** Number of rows that one statement changes. It has to end within the 8 s that statements of the pool have. */
const ROWS_AT_ONCE = 10_000;
const FIRST = "00000000-0000-0000-0000-000000000000" as Uuid;

/**
 * Takes groups that are about to be deleted out of the rows of their people and companies. Objects are deleted with
 * their group. The transaction is the caller's.
 */
async function leaveGroups(query: Query, workspaceId: Uuid, groups: Uuid[]): Promise<void> {
  for (const resource of [people, companies]) {
    let after: Uuid | null = FIRST;
    while (after !== null) after = await leaveAtOnce(query, resource, workspaceId, groups, after);
  }
}

/** Takes the groups out of the next rows, and gives the uuid of the last of them; null when there are none. */
async function leaveAtOnce(
  query: Query,
  { table, groupsTable, recordIdColumn }: RecordType,
  workspaceId: Uuid,
  groups: Uuid[],
  after: Uuid,
): Promise<Uuid | null> {
  const [row] = await query<{ last: Uuid | null }>(
    `with members as materialized (
       select distinct ${recordIdColumn} as id from ${groupsTable}
       where workspace_id = $1 and group_id = any($2::uuid[]) and ${recordIdColumn} > $3 order by 1 limit ${ROWS_AT_ONCE}
     ), changed as (
       update ${table} r set memberships = (
         select coalesce(json_agg(m.entry order by m.place), '[]') from json_array_elements(r.memberships) with ordinality m(entry, place)
         where (m.entry ->> 'groupId')::uuid <> all($2::uuid[]))
       from members where r.workspace_id = $1 and r.id = members.id
     )
     select (select id from members order by id desc limit 1) as last`,
    [workspaceId, printUuids(groups), after],
  );
  return row?.last ?? null;
}
