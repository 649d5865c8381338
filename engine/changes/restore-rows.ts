import type { StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { LogBody, LogType } from "../../model/log.ts";
import { notes } from "../../model/resources/notes.ts";
import { tasks } from "../../model/resources/tasks.ts";
import { wordColumn } from "../../model/resources/word-column.ts";
import { keyOf, readKept } from "../events/kept-rows.ts";
import type { WriteContext } from "../records/draft.ts";
import { plannedTrigger } from "../things/task-schedule.ts";
import { type Deletion, type Kept, lastDeletions } from "./log-reads.ts";
import { restoredEntry } from "./restored-entry.ts";

/** A row of notes or tasks as the log has kept it: column → value, as PostgreSQL writes it in JSON. */
export type KeptRow = Record<string, unknown> & { id: Uuid; entity_kind: RecordKind; entity_id: Uuid; version: number };

/** Their fields have the names of their columns, as far as a search finds them. */
const RESOURCES = { notes, tasks };

/** The rows that the log has kept of deleted notes, tasks or interactions, by thing. One statement. */
export async function keptRows(
  { query, caller }: Pick<WriteContext, "query" | "caller">,
  deletions: readonly Deletion[],
): Promise<Map<Uuid, KeptRow>> {
  const wanted = deletions.flatMap(({ recordId, more: { gone } }) =>
    gone.rowText ? [{ recordId, textId: gone.rowText }] : [],
  );
  const texts = await readKept(query, caller.workspaceId, wanted);
  return new Map(
    wanted.flatMap(({ recordId, textId }): [Uuid, KeptRow][] => {
      const text = texts.get(keyOf(recordId, textId));
      return text === undefined ? [] : [[recordId, JSON.parse(text) as KeptRow]];
    }),
  );
}

/**
 * Brings deleted notes or tasks back, in their next version, and adds the events. The records that they are about are
 * there, and locked against deletion. Gives the uuids of those that are back. The transaction is the caller's.
 * docs/guides/history-and-undo.md#restoring
 * @param isVia whether they come back with their records, with which they went
 */
export async function restoreRows(
  writing: WriteContext,
  table: "notes" | "tasks",
  deletions: readonly Deletion[],
  { isVia = false }: { isVia?: boolean } = {},
): Promise<Uuid[]> {
  const { query, caller } = writing;
  const kept = await keptRows(writing, deletions);
  const now = new Date();
  const rows = [...kept.values()].map((row) => ({
    ...row,
    ...rescheduled(table, row, now),
    words: wordColumn(RESOURCES[table], caller.workspaceId, row),
    version: row.version + 1,
  }));
  if (rows.length === 0) return [];
  const names = Object.keys(rows[0] ?? {})
    .map((name) => `"${name}"`)
    .join(", ");
  const back = await query<{ id: Uuid }>(
    `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $2::json)
     where workspace_id = $1 on conflict do nothing returning id`,
    [caller.workspaceId, JSON.stringify(rows)],
  );
  const isBack = new Set(back.map(({ id }) => id));
  for (const { recordId, type, body } of deletions) {
    if (!isBack.has(recordId)) continue;
    const context = { ...contextOf(body), ...(isVia && body.via && { via: body.via }) };
    writing.log.push(restoredEntry(kindOf(type), recordId, context));
  }
  return [...isBack];
}

/** A reminder whose time has passed meanwhile fires at its next one. */
function rescheduled(table: string, row: KeptRow, now: Date): { next_trigger_at?: Date | null } {
  const planned = row.next_trigger_at as string | null | undefined;
  if (table !== "tasks" || !planned || new Date(planned) >= now) return {};
  const schedule: StoredSchedule = {
    dueAt: String(row.due_at),
    dueTime: row.due_time as string | null,
    firstDueAt: String(row.first_due_at),
    timeZone: String(row.time_zone),
    recurrenceFrequency: row.recurrence_frequency as StoredSchedule["recurrenceFrequency"],
  };
  return { next_trigger_at: plannedTrigger({ ...schedule, madeAs: "reminder", completedAt: null }, now) };
}

function kindOf(type: LogType): "note" | "task" | "reminder" {
  return type.slice(0, type.indexOf(".")) as "note" | "task" | "reminder";
}

/** The readers of a deletion. The return has the same. */
function contextOf({ home, users }: LogBody): LogBody {
  return { ...(home && { home }), ...(users && { users }) };
}

/** Brings back the notes and tasks that went with records: those whose last deletion that was. */
export async function restoreAbout(
  writing: WriteContext,
  deletions: readonly Deletion[],
  kept: Pick<Kept, "trashDays">,
): Promise<void> {
  const about = deletions.flatMap(({ more }) => more.gone.about ?? []);
  if (about.length === 0) return;
  const records = new Set(deletions.map(({ recordId }) => recordId));
  const { query, caller } = writing;
  for (const [kind, table] of [
    ["note", "notes"],
    ["task", "tasks"],
  ] as const) {
    const last = await lastDeletions(query, caller.workspaceId, kind, about, kept);
    const withThem = [...last.values()].filter(({ body }) => body.via && records.has(body.via.id));
    await restoreRows(writing, table, withThem, { isVia: true });
  }
}
