import type { Source } from "../../base/contract/caller.ts";
import { firstUuidOf, type RecordKind, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Gone, LogBody, LogMore, LogType } from "../../model/log.ts";

// Views of the log by what an entry is about: history, trash and undo. docs/decisions/0023-history.md

const DAY_MS = 24 * 60 * 60 * 1000;

/** Number of days for which the log can be looked at. */
export interface Kept {
  historyDays: number;
  trashDays: number;
}

/** The first uuid of the time that lies this number of days back. Entries have ids of their time. */
export function daysAgo(days: number): Uuid {
  return firstUuidOf(Date.now() - days * DAY_MS);
}

/** An entry of the log, with its author. */
export interface Entry {
  seq: string;
  id: Uuid;
  type: LogType;
  recordId: Uuid;
  userId: Uuid | null;
  keyId: Uuid | null;
  requestId: Uuid | null;
  source: Source;
  body: LogBody;
}

export const ENTRY_COLUMNS = `e.seq::text as seq, e.id, e.type, e.record_id as "recordId", e.user_id as "userId", e.key_id as "keyId",
  e.request_id as "requestId", e.source, e.body`;

/** Types of the entries of a deletion, by the kind of thing in trash and history. A reminder is a task there. */
const DELETED: Record<TrashKind, readonly LogType[]> = {
  person: ["person.deleted"],
  company: ["company.deleted"],
  object: ["object.deleted"],
  note: ["note.deleted"],
  task: ["task.deleted", "reminder.deleted"],
};

export type TrashKind = RecordKind | "note" | "task";
export const TRASH_KINDS: readonly TrashKind[] = ["person", "company", "object", "note", "task"];

/** The types of the deletions of things of these kinds. */
export function deletedTypes(kinds: readonly TrashKind[]): LogType[] {
  return kinds.flatMap((kind) => DELETED[kind]);
}

/** The kind of thing that a deletion is about. */
export function trashKindOf(type: LogType): TrashKind {
  const kind = type.slice(0, type.indexOf("."));
  return kind === "reminder" ? "task" : (kind as TrashKind);
}

/** The deletion of a thing, with all that is needed to bring it back. */
export interface Deletion extends Entry {
  more: LogMore & { gone: Gone };
}

/**
 * The last deletions of these things that are not merges and are not older than the trash, by thing. It does not look
 * whether a thing is there again. One statement.
 */
export async function lastDeletions(
  query: Query,
  workspaceId: Uuid,
  kind: TrashKind,
  uuids: readonly Uuid[],
  { trashDays }: Pick<Kept, "trashDays">,
): Promise<Map<Uuid, Deletion>> {
  if (uuids.length === 0) return new Map();
  const rows = await query<Deletion>(
    `select ${ENTRY_COLUMNS}, e.more from unnest($2::uuid[]) w (id) cross join lateral (
       select * from change_log l where l.workspace_id = $1 and l.record_id = w.id and l.type = any($3::text[])
       order by l.seq desc limit 1) e
     where e.id >= $4 and e.body ->> 'into' is null and e.more -> 'gone' is not null`,
    [workspaceId, printUuids([...uuids]), deletedTypes([kind]), daysAgo(trashDays)],
  );
  return new Map(rows.map((row) => [row.recordId, row]));
}
