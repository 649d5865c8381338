import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { RowSets } from "./row-sets.ts";
import type { NamingColumn } from "./tables-with.ts";

// Statements that delete what goes with records. Only aliases go by a foreign key. Each statement is about one
// workspace, and none needs the answer of another one, so they are sent together. The transaction has locked the
// records before, against new rows about them. docs/decisions/0008-batches.md

/** Tables of the rows beside a record's own, and the columns by which they are found. Addresses have no such column. */
export function indexesOf({
  groupsTable,
  valuesTable,
  searchTable,
  recordIdColumn,
  links,
}: RecordType): readonly NamingColumn[] {
  return [
    [groupsTable, recordIdColumn],
    [valuesTable, recordIdColumn],
    [searchTable, "id"],
    ...links.map(({ storage }): NamingColumn => [storage.table, storage.from]),
  ];
}

/**
 * Deletes the rows of locked records, with their groups, values, links and search rows. Addresses are the caller's.
 */
export function deleteWithIndexes(sets: RowSets, resource: RecordType, uuids: Uuid[]): void {
  for (const [table, column] of indexesOf(resource)) sets.deleteOf(table, column, uuids);
  sets.deleteOf(resource.table, "id", uuids);
}

/**
 * Deletes notes, tasks and interactions about records that are about to be deleted; interactions with others too stay
 * with those. Enrichments stay and keep the name of their person, so the person has to be there still. Those that have
 * not finished are cancelled, and their credits are given back.
 * @param tables the tables of ABOUT_COLUMNS that have such rows
 */
export async function deleteAbout(
  query: Query,
  workspaceId: Uuid,
  tables: ReadonlySet<string>,
  uuids: Uuid[],
): Promise<void> {
  const statements = Object.entries(ABOUT).flatMap(([table, ofTable]) => (tables.has(table) ? ofTable : []));
  const values = [workspaceId, printUuids(uuids)];
  // They are sent together and run in their order: each sees what those before it have changed.
  await Promise.all(statements.map((sql) => query(sql, values)));
}

function deleteBy(table: string, column: string): string {
  return `delete from ${table} where workspace_id = $1 and ${column} = any($2::uuid[])`;
}

// The first of these statements locks the enrichments, so the others find the same ones due. Locks are taken in the
// order person, enrichment, credits. docs/decisions/0010-background-work.md
const NAME_ENRICHMENTS = `
update enrichments e
set entity_name = (select p.full_name from people p where p.workspace_id = $1 and p.id = e.entity_id)
where e.workspace_id = $1 and e.entity_id = any($2::uuid[])`;
const FREE_CREDITS = `
update credits c set remaining = c.remaining + freed.count, used = c.used - freed.count
from (select count(*)::int as count from enrichments
  where workspace_id = $1 and entity_id = any($2::uuid[]) and due_at is not null) freed
where c.workspace_id = $1 and freed.count > 0`;
const CANCEL_ENRICHMENTS = `
update enrichments set status = 'cancelled', error_code = 'PERSON_DELETED',
  error_message = 'The person was deleted before the enrichment had finished.',
  finished_at = greatest(created_at, statement_timestamp()), due_at = null, lease = null
where workspace_id = $1 and entity_id = any($2::uuid[]) and due_at is not null`;

// An array of the ids, and no join, so that PostgreSQL looks them up and never reads all interactions of a workspace.
const WITH_THEM = `id = any(array(
  select interaction_id from interaction_entities where workspace_id = $1 and entity_id = any($2::uuid[])))`;
// Interactions are locked in the order of their ids, and before the rows about them. So of two transactions that delete
// the people of one interaction the later one finds none of them left. docs/decisions/0012-interactions.md
const LOCK_INTERACTIONS = `
select count(*)::int as count from (
  select id from interactions where workspace_id = $1 and ${WITH_THEM} order by id for update) locked`;

/** Locks the interactions with these records, as a deletion does. One statement. */
export async function lockInteractions(query: Query, workspaceId: Uuid, uuids: readonly Uuid[]): Promise<void> {
  await query(LOCK_INTERACTIONS, [workspaceId, printUuids(uuids)]);
}

const DELETE_INTERACTIONS = `
delete from interactions i where workspace_id = $1 and ${WITH_THEM} and not exists (
  select from interaction_entities o
  where o.workspace_id = $1 and o.interaction_id = i.id and o.entity_id <> all($2::uuid[]))`;

/** Table with rows about records → its statements of a deletion. They take locks in this order. */
const ABOUT: Record<string, readonly string[]> = {
  notes: [deleteBy("notes", "entity_id")],
  tasks: [deleteBy("tasks", "entity_id")],
  enrichments: [NAME_ENRICHMENTS, FREE_CREDITS, CANCEL_ENRICHMENTS],
  interaction_entities: [
    DELETE_INTERACTIONS,
    ...["interaction_uncounted", "interaction_counts", "interaction_entities"].map((table) =>
      deleteBy(table, "entity_id"),
    ),
  ],
};

/** Columns in which things about records name these. Usually no row does. */
export const ABOUT_COLUMNS = Object.keys(ABOUT).map((table): NamingColumn => [table, "entity_id"]);
