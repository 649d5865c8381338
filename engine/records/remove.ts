import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { type Gone, type LogEntry, moreText } from "../../model/log.ts";
import { NOTE_NAME } from "../../model/resources/notes.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { keepRows } from "../events/kept-rows.ts";
import { writeAddresses } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { deleteAbout, deleteWithIndexes } from "./gone-with.ts";
import { removeIncomingLinks } from "./incoming-links.ts";
import { keepDeleted, namingColumns } from "./kept.ts";
import { deletedEntry } from "./record-events.ts";
import { createRowSets } from "./row-sets.ts";
import type { RecordRow } from "./select.ts";
import { tablesWith } from "./tables-with.ts";
import { lockRows } from "./write.ts";

/**
 * Deletes records by their uuids or the uuids of records that were merged into them. Returns requested uuid → uuid of
 * the deleted record; unknown uuids are missing. The transaction belongs to the caller.
 */
export async function deleteRecords(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  asked: Uuid[],
): Promise<Map<Uuid, Uuid>> {
  const rows = await lockRows(writing, resource, scope, asked, { isDeleted: true });
  await removeRows(writing, resource, [...new Set(rows.values())]);
  return new Map([...rows].map(([uuid, row]) => [uuid, row.uuid]));
}

/**
 * Deletes records whose rows were locked for that, and tells of them and of the notes and reminders about them in
 * events. Everything about them goes with them, and so do the links and the entries of custom values that name them.
 */
export async function removeRows(writing: WriteContext, resource: RecordType, rows: RecordRow[]): Promise<void> {
  if (rows.length === 0) return;
  const gone = new Map(rows.map((row) => [row.uuid, row]));
  const uuids = [...gone.keys()];
  const { query, caller } = writing;
  const [about, tables] = await Promise.all([
    lockAbout(writing, uuids),
    tablesWith(query, caller.workspaceId, namingColumns(resource.kind), uuids),
  ]);
  const [withThem, kept] = await Promise.all([
    entriesOfAbout(writing, resource.kind, gone, about),
    keepDeleted(writing, resource.kind, uuids, tables),
  ]);
  const aboutOf = Map.groupBy(about, ({ entityId }) => entityId);
  const goneOf = (uuid: Uuid): Gone => {
    const notesAndTasks = aboutOf.get(uuid)?.map((one) => one.uuid);
    return { ...kept.get(uuid), ...(notesAndTasks && { about: notesAndTasks }) };
  };
  const { definitions } = writing;
  writing.log.push(...rows.map((row) => deletedEntry(resource, definitions, row, goneOf(row.uuid))), ...withThem);
  await Promise.all([
    removeIncomingLinks(writing, resource.kind, uuids, tables),
    deleteAbout(query, caller.workspaceId, tables, uuids),
    deleteRows(writing, resource, rows),
  ]);
}

/** Deletes the rows of locked records, and their rows in all indexes. Nothing is about the records any more. */
export async function deleteRows(writing: WriteContext, resource: RecordType, rows: RecordRow[]): Promise<void> {
  const sets = createRowSets(writing);
  writeAddresses(
    resource,
    rows.map((before) => ({ before, after: null })),
    sets,
  );
  deleteWithIndexes(
    sets,
    resource,
    rows.map(({ uuid }) => uuid),
  );
  await sets.written();
}

/** A note or a task about a record. */
interface About {
  table: "notes" | "tasks";
  /** Kind of its entries in the log. */
  kind: "note" | "task" | "reminder";
  uuid: Uuid;
  entityId: Uuid;
  /** Name in the trash. */
  name: string;
  /** Users who see a private one. */
  users: Uuid[] | null;
}

/**
 * The notes and tasks that go with records which are about to be deleted. They are locked, so that one that another
 * transaction deletes at the same moment makes one entry. One statement.
 */
function lockAbout({ query, caller }: WriteContext, uuids: Uuid[]): Promise<About[]> {
  return query<About>(LOCK_ABOUT, [caller.workspaceId, printUuids(uuids)]);
}

const LOCK_ABOUT = `
with gone_notes as (
  select id, entity_id, ${NOTE_NAME} as name, case when visibility = 'private' then array[created_by] end as users
  from notes where workspace_id = $1 and entity_id = any($2::uuid[]) order by id for update
), gone_tasks as (
  select id, entity_id, made_as, title, case when not is_public then created_by || assigned_user_ids end as users
  from tasks where workspace_id = $1 and entity_id = any($2::uuid[]) order by id for update
)
select 'notes' as table, 'note' as kind, id as uuid, entity_id as "entityId", name, to_json(users) as users from gone_notes
union all select 'tasks', made_as, id, entity_id, title, to_json(users) from gone_tasks`;

/**
 * The entries of notes and tasks that go with their records. Their rows are kept. Two statements for each of the two
 * tables. docs/guides/events.md#which-events-a-change-makes
 */
async function entriesOfAbout(
  { query, caller: { workspaceId } }: WriteContext,
  kind: RecordKind,
  gone: Map<Uuid, RecordRow>,
  about: About[],
): Promise<LogEntry[]> {
  const texts = new Map<string, Uuid>();
  for (const [table, rows] of Map.groupBy(about, (one) => one.table))
    texts.set(
      table,
      await keepRows(
        query,
        workspaceId,
        table,
        rows.map(({ uuid }) => uuid),
      ),
    );
  return about.map(({ table, kind: of, uuid, entityId, name, users }): LogEntry => {
    const home = kind === "object" ? gone.get(entityId)?.memberships[0]?.groupId : undefined;
    return {
      type: `${of}.deleted`,
      recordId: uuid,
      body: {
        ...(home && { home }),
        ...(users && { users }),
        name,
        via: { kind, id: entityId },
        details: { entityId: toId(kind, entityId), entityType: kind },
      },
      more: moreText({ gone: { rowText: texts.get(table) as Uuid } }),
    };
  });
}
