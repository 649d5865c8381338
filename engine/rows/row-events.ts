import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { EventKind } from "../../model/events.ts";
import { type Changed, type LogBody, type LogEntry, type LogType, moreText } from "../../model/log.ts";
import type { Resource, Row, Viewer } from "../../model/resources/resource.ts";
import { changed } from "../events/diff.ts";
import { keepRows } from "../events/kept-rows.ts";
import { presentRow } from "./rows.ts";

/** A write of a row: the row before and after; null where there is none. */
export interface RowChange {
  before: Row | null;
  after: Row | null;
}

/** The parts of the rows of a table of which the log tells. */
export interface RowTelling {
  table: "notes" | "tasks";
  /** The resource by which history shows a row. */
  shown: Resource;
  /** The row as that resource reads it. */
  asShown(row: Row): Row;
  /** The resource whose events tell of a row, and the row as that reads it; undefined for one without events. */
  told(row: Row): { resource: Resource; asTold(row: Row): Row } | undefined;
  /** Names of columns that no answer shows, and that an undo needs. */
  hidden: readonly string[];
  /** The only users who see a private one; undefined for one that everybody sees who sees its record. */
  readers(row: Row): Uuid[] | undefined;
  /** Name in the trash. */
  name(row: Row): string;
}

/** A transaction that tells of rows. */
interface Telling extends Viewer {
  query: Query;
  log: LogEntry[];
}

/**
 * Tells the log what became of a row of a plain resource, as answers show it; nothing when it stays the same. The row
 * of a deletion is kept.
 * docs/guides/events.md#which-events-a-change-makes
 */
export async function tellOfRow(
  telling: Telling,
  of: RowTelling,
  { before, after }: RowChange,
  details?: Record<string, unknown>,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const context = await contextOf(telling, before, row, of.readers(row));
  const told = of.told(row);
  const kind = (told?.resource ?? of.shown).kind;
  if (!after) {
    const rowText = await keepRows(telling.query, telling.caller.workspaceId, of.table, [row.uuid]);
    telling.log.push({
      type: `${kind}.deleted` as LogType,
      recordId: row.uuid,
      body: { ...context, name: of.name(row), details: entityDetails(row) },
      more: moreText({ gone: { rowText } }),
    });
    return;
  }
  const entry = before ? updatedEntry(telling, of, before, after) : createdEntry(telling, of, after);
  if (entry)
    telling.log.push({
      ...entry,
      recordId: row.uuid,
      body: { ...context, ...entry.body, ...(details && { details }) },
    });
}

function createdEntry(viewing: Viewer, of: RowTelling, after: Row): Omit<LogEntry, "recordId"> {
  const kind = (of.told(after)?.resource ?? of.shown).kind;
  const changes = shownChanges(viewing, of, null, after);
  return { type: `${kind}.created` as LogType, body: {}, more: moreText({ changes }) };
}

/** Null when nothing changes that anybody is shown. A change that events do not tell makes an entry without events. */
function updatedEntry(viewing: Viewer, of: RowTelling, before: Row, after: Row): Omit<LogEntry, "recordId"> | null {
  const told = of.told(after);
  const toldChanges = told ? rowChanges(told.resource, viewing, told.asTold(before), told.asTold(after)) : [];
  const changes = shownChanges(viewing, of, before, after);
  if (toldChanges.length + changes.length === 0) return null;
  const kind = (toldChanges.length > 0 && told ? told.resource : of.shown).kind;
  const type = `${kind as EventKind}.updated` as LogType;
  if (told?.resource === of.shown) return { type, body: { changes } };
  const more = moreText({ changes });
  return { type, body: toldChanges.length > 0 ? { changes: toldChanges } : {}, more };
}

/** Users who may see the event. */
async function contextOf(telling: Telling, before: Row | null, row: Row, users: Uuid[] | undefined): Promise<LogBody> {
  const home = await homeOf(telling, row);
  const left = before && before.entityId !== row.entityId ? await homeOf(telling, before) : undefined;
  return { ...(home && { home }), ...(left && left !== home && { leftHome: left }), ...(users && { users }) };
}

/** Details in events of deletions about the record of the deleted thing. */
function entityDetails({ entityKind, entityId }: Row): Record<string, unknown> {
  return { entityId: toId(entityKind as RecordKind, entityId as Uuid), entityType: entityKind };
}

function rowChanges(resource: Resource, viewing: Viewer, before: Row, after: Row): Changed[] {
  const [old, now] = [before, after].map((row) => presentRow(resource, row, viewing));
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const changes = changed([name], old?.[name] ?? null, now?.[name] ?? null);
    return field.untold ? changes.map((change): Changed => ({ ...change, untold: true })) : changes;
  });
}

/** Changes as history shows them: those of fields that clients write; and those of hidden columns, for an undo. */
function shownChanges(viewing: Viewer, of: RowTelling, before: Row | null, after: Row): Changed[] {
  const { shown, asShown, hidden } = of;
  const old = before && asShown(before);
  const now = asShown(after);
  const written = {
    ...shown,
    fields: Object.fromEntries(Object.entries(shown.fields).filter(([, { write }]) => write)),
  };
  const changes = old
    ? rowChanges(written, viewing, old, now)
    : Object.entries(presentRow(written, now, viewing)).flatMap(([name, value]) => changed([name], null, value));
  const ofHidden = old
    ? hidden.flatMap((name) => changed([name], old[name] ?? null, now[name] ?? null)).map(asHidden)
    : [];
  return [...changes, ...ofHidden];
}

function asHidden(change: Changed): Changed {
  return { ...change, hidden: true };
}

/**
 * The group of the object that a thing is about: only who sees the group sees the thing. Undefined for people and
 * companies.
 */
export async function homeOf(
  { query, caller }: Pick<Telling, "query" | "caller">,
  { entityKind, entityId }: Record<string, unknown>,
): Promise<Uuid | undefined> {
  if (entityKind !== "object") return undefined;
  const [row] = await query<{ groupId: Uuid }>(
    'select group_id as "groupId" from object_groups where workspace_id = $1 and object_id = $2',
    [caller.workspaceId, entityId],
  );
  return row?.groupId;
}
