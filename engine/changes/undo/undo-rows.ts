import { RECORD_KINDS, toId, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { searchVector } from "../../../base/values/words.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Changed } from "../../../model/log.ts";
import { notes } from "../../../model/resources/notes.ts";
import type { Resource, Row } from "../../../model/resources/resource.ts";
import { taskRow } from "../../../model/resources/task-row.ts";
import { tasks } from "../../../model/resources/tasks.ts";
import { changed } from "../../events/diff.ts";
import { withTexts } from "../../feed/long-texts.ts";
import { lockEntity } from "../../records/lock-entity.ts";
import { type RowTelling, tellOfRow } from "../../rows/row-events.ts";
import { deleteRow, findRow, type OtherColumns, presentRow, updateRow } from "../../rows/rows.ts";
import { noteTelling } from "../../things/note-telling.ts";
import { plannedTrigger } from "../../things/task-schedule.ts";
import { taskTelling } from "../../things/task-telling.ts";
import { type Deletion, lastDeletions } from "../log-reads.ts";
import { keptRows, restoreRows } from "../restore-rows.ts";
import { changedByOthers } from "./changed-by-others.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { LeftChange, Undoing } from "./undoing.ts";

/** Notes or tasks, as an undo reads and writes them. */
interface Rows {
  kind: "note" | "task";
  resource: Resource;
  telling: RowTelling;
}

const NOTES: Rows = { kind: "note", resource: notes, telling: noteTelling };
const TASKS: Rows = { kind: "task", resource: tasks, telling: taskTelling };

/** Takes a change of a note or a task back. docs/guides/history-and-undo.md#undo */
export async function undoRow(undoing: Undoing, entry: UndoEntry): Promise<void> {
  const rows = entry.type.startsWith("note.") ? NOTES : TASKS;
  const verb = entry.type.slice(entry.type.indexOf(".") + 1);
  if (verb === "created") await undoCreate(undoing, rows, entry);
  else if (verb === "updated") await undoUpdate(undoing, rows, entry);
  else await undoDeletion(undoing, rows, entry);
}

/**
 * The row, locked, if the caller sees and may change it. Otherwise it says why not: one that is there and not seen is
 * told as one to which the caller has no access.
 */
async function lockRow(
  { writing, skip }: Undoing,
  { kind, resource }: Rows,
  uuid: Uuid,
): Promise<Row | "gone" | "refused"> {
  const row = await findRow(writing.query, resource, writing, uuid, { lock: true });
  if (!row) {
    const there = await writing.query(`select from ${resource.table} where workspace_id = $1 and id = $2`, [
      writing.caller.workspaceId,
      uuid,
    ]);
    if (there.length === 0) return "gone";
  }
  if (row && (resource.access?.refuseChange?.(row, writing) ?? null) === null) return row;
  skip(kind, uuid, "noAccess");
  return "refused";
}

async function undoCreate(undoing: Undoing, rows: Rows, entry: UndoEntry): Promise<void> {
  const { writing, took, skip } = undoing;
  const { recordId } = entry;
  const row = await lockRow(undoing, rows, recordId);
  if (typeof row === "string") return;
  if ((await changedByOthers(undoing, rows.kind, [entry])).has(recordId))
    return skip(rows.kind, recordId, "changedSince");
  await tellOfRow(writing, rows.telling, { before: row, after: null });
  await deleteRow(writing.query, rows.resource, writing, row);
  took(rows.kind, recordId);
}

async function undoDeletion(
  { writing, kept, took, skip }: Undoing,
  { kind, resource, telling }: Rows,
  entry: UndoEntry,
): Promise<void> {
  const { query, caller } = writing;
  const { recordId, seq } = entry;
  const there = await query(`select from ${telling.table} where workspace_id = $1 and id = $2`, [
    caller.workspaceId,
    recordId,
  ]);
  if (there.length > 0) return;
  const deletion = (await lastDeletions(query, caller.workspaceId, kind, [recordId], kept)).get(recordId);
  if (!deletion) return skip(kind, recordId, "gone");
  if (deletion.seq !== seq) return skip(kind, recordId, "changedSince");
  const row = (await keptRows(writing, [deletion])).get(recordId);
  const entity = row && (await lockEntity(writing, toId(row.entity_kind, row.entity_id), [row.entity_kind]));
  if (!row || !entity) return skip(kind, recordId, "gone");
  const refusal = resource.access?.refuseChange?.({ uuid: recordId, createdBy: row.created_by }, writing) ?? null;
  const users = deletion.body.users;
  if (refusal !== null || (users && !users.includes(caller.userId))) return skip(kind, recordId, "noAccess");
  const [back] = await restoreRows(writing, telling.table, [deletion as Deletion]);
  if (back) took(kind, recordId);
}

async function undoUpdate(undoing: Undoing, rows: Rows, entry: UndoEntry): Promise<void> {
  const { writing, took, skip } = undoing;
  const { kind, resource, telling } = rows;
  const { recordId } = entry;
  const row = await lockRow(undoing, rows, recordId);
  if (row === "gone") skip(kind, recordId, "gone");
  if (typeof row === "string") return;
  const changes = await changesOf(undoing, entry);
  const wanted = revertible(undoing, rows, row, changes);
  if (wanted.length === 0) return;
  const columns = await columnsBefore(undoing, rows, row, wanted);
  if (!columns) return skip(kind, recordId, "gone");
  const after = await updateRow(writing.query, resource, writing, row, {}, columns);
  await tellOfRow(writing, telling, { before: row, after });
  if (after.version !== row.version) took(kind, recordId);
}

/** The changes as history shows them, with whole texts, and those of hidden columns. */
async function changesOf({ writing }: Undoing, { type, recordId, body, more }: UndoEntry): Promise<Changed[]> {
  if (!type.startsWith("note.")) return more?.changes ?? [];
  const { workspaceId } = writing.caller;
  const [whole] = await withTexts(writing.query, [{ workspaceId, recordId, body }], "all");
  return (whole?.body.changes ?? []).filter((change): change is Changed => "before" in change);
}

function revertible(
  { writing, skip }: Undoing,
  { kind, resource }: Rows,
  row: Row,
  changes: readonly Changed[],
): Changed[] {
  const now = { ...presentRow(resource, row, writing) };
  const left: LeftChange[] = [];
  const wanted = changes.filter((change) => {
    const [name = ""] = change.path;
    const present = change.hidden ? (row[name] ?? null) : now[name];
    if (changed(change.path, present ?? null, change.before).length === 0) return false;
    const hasAfter = changed(change.path, present ?? null, change.after).length === 0;
    if (!hasAfter && !change.hidden) left.push({ ...change, now: present });
    return hasAfter;
  });
  if (left.length > 0) skip(kind, row.uuid, "changedSince", left);
  return wanted;
}

/** The columns that give a row the values from before; null when the record that it was about is gone. */
async function columnsBefore(
  { writing }: Undoing,
  { resource, kind }: Rows,
  row: Row,
  changes: readonly Changed[],
): Promise<OtherColumns | null> {
  const columns: OtherColumns = {};
  for (const change of changes) {
    const before = change.path[0] === "entity" ? await entityBefore(writing, change) : columnBefore(resource, change);
    if (!before) return null;
    Object.assign(columns, before);
  }
  if (kind === "task") return { ...columns, updated_at: new Date(), ...rescheduled(row, columns) };
  return typeof columns.content === "string" ? { ...columns, search: searchVector(columns.content) } : columns;
}

async function entityBefore(writing: Undoing["writing"], { before }: Changed): Promise<OtherColumns | null> {
  const [{ id } = { id: "" }] = before as { id: string }[];
  const entity = await lockEntity(writing, id, RECORD_KINDS);
  return entity ? { entity_kind: entity.kind, entity_id: entity.uuid } : null;
}

/** The column of a field, or of a hidden value, with the value from before. */
function columnBefore({ fields }: Resource, { path: [name = ""], before, hidden }: Changed): OtherColumns {
  if (hidden) return { [HIDDEN[name] ?? name]: before };
  if (name === "assignedUsers")
    return {
      assigned_user_ids: printUuids((before as { id: string }[]).flatMap(({ id }) => uuidOf("user", id) ?? [])),
    };
  const storage = fields[name]?.storage;
  return storage?.shape === "column" ? { [storage.column]: storedColumn(storage, before) } : {};
}

function storedColumn({ store, unset }: { store(sent: unknown): unknown; unset: unknown }, before: unknown): unknown {
  return before === null ? unset : store(before);
}

const HIDDEN: Record<string, string> = { timeZone: "time_zone", firstDueAt: "first_due_at", nextId: "next_id" };

/** When a reminder fires next, with the schedule that it has again. */
function rescheduled(row: Row, columns: OtherColumns): OtherColumns {
  const task = taskRow(row);
  const has = (column: string, now: unknown) => (column in columns ? columns[column] : now);
  const before = {
    madeAs: task.madeAs,
    completedAt: has("completed_at", task.completedAt) as Date | null,
    dueAt: has("due_at", task.dueAt) as string,
    dueTime: has("due_time", task.dueTime) as string | null,
    firstDueAt: has("first_due_at", task.firstDueAt) as string,
    timeZone: has("time_zone", task.timeZone) as string,
    recurrenceFrequency: has("recurrence_frequency", task.recurrenceFrequency) as typeof task.recurrenceFrequency,
  };
  return { next_trigger_at: plannedTrigger(before, new Date()) };
}
