import { NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ABOUT_COLUMNS, deleteAbout, deleteWithIndexes } from "../records/gone-with.ts";
import { createRowSets } from "../records/row-sets.ts";
import { tablesWith } from "../records/tables-with.ts";

/** Number of records that one statement changes. It has to end within the 8 s that statements of the pool have. */
const RECORDS_AT_ONCE = 10_000;

/** Groups that are about to be deleted. */
interface Emptying {
  query: Query;
  workspaceId: Uuid;
  groups: Uuid[];
}

/**
 * Takes groups that are about to be deleted out of their people and companies, and deletes their objects with
 * everything about them. Until the transaction ends no other one puts a record into these groups. The transaction is
 * the caller's.
 */
export async function emptyGroups(query: Query, workspaceId: Uuid, groups: Uuid[]): Promise<void> {
  const emptying: Emptying = { query, workspaceId, groups };
  await empty(emptying);
  await lockGroups(emptying);
  // Transactions that the locks have waited for may have put further records into the groups.
  await empty(emptying);
}

async function empty(emptying: Emptying): Promise<void> {
  for (const work of [leave(people), leave(companies), deleteObjects]) {
    let after: Uuid | null = NIL_UUID;
    while (after !== null) after = await work(emptying, after);
  }
}

/**
 * Waits for transactions that have put a record into one of the groups, and keeps others from it. A transaction that
 * makes objects refers to their type first and to the group afterwards, so types are locked first.
 */
async function lockGroups({ query, workspaceId, groups }: Emptying): Promise<void> {
  const values = [workspaceId, printUuids(groups)];
  await Promise.all([
    query(
      "select id from object_types where workspace_id = $1 and group_id = any($2::uuid[]) order by id for update",
      values,
    ),
    query("select id from groups where workspace_id = $1 and id = any($2::uuid[]) order by id for update", values),
  ]);
}

/** Works on the next records behind this one, and gives the uuid of the last of them; null when there are none. */
type Work = (emptying: Emptying, after: Uuid) => Promise<Uuid | null>;

/**
 * Takes the groups out of people or companies. The values in a group are deleted when the rows of the records are
 * locked, so that those which another transaction has just written go too.
 */
function leave({ table, groupsTable, valuesTable, recordIdColumn }: RecordType): Work {
  const members = `
select distinct ${recordIdColumn} as id from ${groupsTable}
where workspace_id = $1 and group_id = any($2::uuid[]) and ${recordIdColumn} > $3 order by 1 limit ${RECORDS_AT_ONCE}`;
  const change = `
update ${table} r set memberships = (
  select coalesce(json_agg(m.entry order by m.place), '[]')
  from json_array_elements(r.memberships) with ordinality m(entry, place)
  where (m.entry ->> 'groupId')::uuid <> all($2::uuid[]))
where r.workspace_id = $1 and r.id = any($3::uuid[])`;
  const removals = [valuesTable, groupsTable].map(
    (index) =>
      `delete from ${index} where workspace_id = $1 and group_id = any($2::uuid[]) and ${recordIdColumn} = any($3::uuid[])`,
  );
  return async ({ query, workspaceId, groups }, after) => {
    const values = [workspaceId, printUuids(groups)];
    const uuids = (await query<{ id: Uuid }>(members, [...values, after])).map(({ id }) => id);
    if (uuids.length === 0) return null;
    await Promise.all([change, ...removals].map((sql) => query(sql, [...values, printUuids(uuids)])));
    return uuids.at(-1) ?? null;
  };
}

const OBJECTS = `
select id from objects where workspace_id = $1
  and object_type_id = any(array(select id from object_types where workspace_id = $1 and group_id = any($2::uuid[])))
  and id > $3 order by id limit ${RECORDS_AT_ONCE} for update`;

const deleteObjects: Work = async ({ query, workspaceId, groups }, after) => {
  const rows = await query<{ id: Uuid }>(OBJECTS, [workspaceId, printUuids(groups), after]);
  const uuids = rows.map(({ id }) => id);
  if (uuids.length === 0) return null;
  const tables = await tablesWith(query, workspaceId, ABOUT_COLUMNS, uuids);
  const about = deleteAbout(query, workspaceId, tables, uuids);
  const sets = createRowSets({ query, caller: { workspaceId } });
  deleteWithIndexes(sets, objects, uuids);
  await Promise.all([about, sets.written()]);
  return uuids.at(-1) ?? null;
};
