import type { Uuid } from "../../base/values/ids.ts";
import { type Change, type EventBody, type EventType, isOfGroups } from "../../model/events.ts";
import { type Changed, DOUBLE_TYPES, eventTypesOf, type LogBody, type LogType } from "../../model/log.ts";
import { toldOf } from "../events/diff.ts";

/** Users who see the note or reminder of an event now. */
interface Sight {
  /** Null: all users who see its record. */
  users: Uuid[] | null;
  /** The group of the object that a reminder is about now; a note stays where it is. */
  home?: Uuid | null;
}

/** An event at its place in the order of its workspace. */
export interface PublishedEvent {
  position: number;
  workspaceId: Uuid;
  id: Uuid;
  type: EventType;
  recordId: Uuid;
  body: EventBody;
  /** Null when the note or reminder is gone, and for events about records. */
  sight: Sight | null;
}

/** An entry of the log, with the present sight of its note or reminder. */
export interface StoredEntry extends Pick<PublishedEvent, "workspaceId" | "id" | "recordId" | "sight"> {
  seq: number;
  type: LogType;
  /** Entries of releases before the log hold ready events. Long texts are references (engine/feed/long-texts.ts). */
  body: Omit<LogBody, "changes"> & { changes?: (Changed | Change)[] };
}

/** `StoredEntry.sight` as SQL over a row `e` with the columns of the table `change_log`, of the workspace $1. */
export const SIGHT = `case when e.type like 'note.%' then (
    select json_build_object('users', case when n.visibility = 'private' then json_build_array(n.created_by) end)
    from notes n where n.workspace_id = $1 and n.id = e.record_id)
  when e.type like 'reminder.%' then (
    select json_build_object('users', case when not t.is_public then to_json(t.created_by || t.assigned_user_ids) end,
      'home', case t.entity_kind when 'object' then (
        select group_id from object_groups o where o.workspace_id = $1 and o.object_id = t.entity_id) end)
    from tasks t where t.workspace_id = $1 and t.id = e.record_id)
  end`;

/**
 * Columns of an entry, as SQL over the row `e` of the table `change_log`, by the names in `StoredEntry`. $1 is the
 * workspace.
 */
export const ENTRY_READS = `e.seq::float8 as seq, e.workspace_id as "workspaceId", e.id, e.type, e.record_id as "recordId", e.body,
  ${SIGHT} as sight`;

/** Number of bytes that the events of an entry take, as SQL over a row of the table `change_log`. */
export const EVENT_BYTES = "(octet_length(body::text) + coalesce(text_bytes, 0))";

/**
 * SQL that is true for entries with events behind a position: also for the one at it, when it has a second event. The
 * first of these has to be left out then.
 * @param position SQL of it
 */
export function isBehind(position: string): string {
  return `seq >= ${position} and (seq > ${position} or type in (${DOUBLE_TYPES.map((type) => `'${type}'`).join()}))`;
}

/** The position of the last event of an entry. */
export function endOfEntry({ seq, type }: Pick<StoredEntry, "seq" | "type">): number {
  return seq + Math.max(0, eventTypesOf(type).length - 1);
}

/**
 * The events of an entry, in their order. The second of two has the next position, and the id of the first but for one
 * bit. docs/guides/events.md#which-events-a-change-makes
 */
export function eventsOf({ seq, id, type, body, ...entry }: StoredEntry): PublishedEvent[] {
  return eventTypesOf(type).map((one, i, { length }) => ({
    ...entry,
    position: seq + i,
    id: i === 0 ? id : secondId(id),
    type: one,
    body: bodyOf(body, length === 1 ? null : isOfGroups(one)),
  }));
}

/** The event of an entry that has this position. */
export function eventAt(entry: StoredEntry, position: number): PublishedEvent | undefined {
  return eventsOf(entry).find((event) => event.position === position);
}

/** The numbers that the entry of an event may have. */
export function seqsOf(position: number): [number, number] {
  return [position, position - 1];
}

/** @param ofGroups whether the event tells only the change of groups, or all but that; null: all */
function bodyOf({ changes, ...body }: StoredEntry["body"], ofGroups: boolean | null): EventBody {
  if (!changes) return body;
  const wanted = ofGroups === null ? changes : changes.filter(({ path }) => (path[0] === "groups") === ofGroups);
  return { ...body, changes: wanted.flatMap((change) => ("before" in change ? toldOf(change) : change)) };
}

function secondId(id: Uuid): Uuid {
  return (id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ 1).toString(16)) as Uuid;
}
