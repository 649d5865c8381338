import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { LogEntry } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { writeAddresses } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { ABOUT_COLUMNS, deleteAbout, deleteWithIndexes } from "./gone-with.ts";
import { incomingColumns, removeIncomingLinks } from "./incoming-links.ts";
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
  const [withThem, tables] = await Promise.all([
    goneWith(writing, resource.kind, gone),
    tablesWith(query, caller.workspaceId, [...incomingColumns(resource.kind), ...ABOUT_COLUMNS], uuids),
  ]);
  writing.log.push(...rows.map((row) => deletedEntry(resource, writing.definitions, row)), ...withThem);
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

/** A note, or a record of tasks that was made as a reminder, which is about a record. */
interface About {
  kind: "note" | "reminder";
  uuid: Uuid;
  entityId: Uuid;
  /** Users who see a private one. */
  users: Uuid[] | null;
}

/**
 * The events of the notes and reminders that go with records which are about to be deleted. They are locked, so that
 * one that another transaction deletes at the same moment makes one event. One statement.
 * docs/guides/events.md#which-events-a-change-makes
 */
async function goneWith(
  { query, caller }: WriteContext,
  kind: RecordKind,
  gone: Map<Uuid, RecordRow>,
): Promise<LogEntry[]> {
  const about = await query<About>(GONE_WITH, [caller.workspaceId, printUuids([...gone.keys()])]);
  return about.map(({ kind: of, uuid, entityId, users }) => {
    const home = kind === "object" ? gone.get(entityId)?.memberships[0]?.groupId : undefined;
    return {
      type: `${of}.deleted`,
      recordId: uuid,
      body: {
        ...(home && { home }),
        ...(users && { users }),
        details: { entityId: toId(kind, entityId), entityType: kind },
      },
    };
  });
}

const GONE_WITH = `
with gone_notes as (
  select id, entity_id, case when visibility = 'private' then array[created_by] end as users
  from notes where workspace_id = $1 and entity_id = any($2::uuid[]) order by id for update
), gone_reminders as (
  select id, entity_id, case when not is_public then created_by || assigned_user_ids end as users
  from tasks where workspace_id = $1 and entity_id = any($2::uuid[]) and made_as = 'reminder' order by id for update
)
select 'note' as kind, id as uuid, entity_id as "entityId", to_json(users) as users from gone_notes
union all select 'reminder', id, entity_id, to_json(users) from gone_reminders`;
