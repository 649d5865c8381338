import type { Uuid } from "../../base/values/ids.ts";
import type { EventBody, EventType } from "../../model/events.ts";

/** An event at its place among all events. */
export interface PublishedEvent {
  position: number;
  workspaceId: Uuid;
  id: Uuid;
  type: EventType;
  recordId: Uuid;
  body: EventBody;
  /**
   * Users who see the note or reminder now; with `users` null all users who see its record. `home` is the group of the
   * object that a reminder is about now; a note stays where it is. Null when it is gone, and for events about records.
   */
  sight: { users: Uuid[] | null; home?: Uuid | null } | null;
}

/** `PublishedEvent.sight` as SQL over a row `e` with the columns of the table `events`. */
export const SIGHT = `case when e.type like 'note.%' then (
    select json_build_object('users', case when n.visibility = 'private' then json_build_array(n.created_by) end)
    from notes n where n.workspace_id = e.workspace_id and n.id = e.record_id)
  when e.type like 'reminder.%' then (
    select json_build_object('users', case when not t.is_public then to_json(t.created_by || t.assigned_user_ids) end,
      'home', case t.entity_kind when 'object' then (
        select group_id from object_groups o where o.workspace_id = t.workspace_id and o.object_id = t.entity_id) end)
    from tasks t where t.workspace_id = e.workspace_id and t.id = e.record_id)
  end`;

/** Columns of an event, as SQL over the row `e` of the table `events`, by the names in `PublishedEvent`. */
export const PUBLISHED_READS = `e.position::float8 as position, e.workspace_id as "workspaceId", e.id, e.type, e.record_id as "recordId", e.body,
  ${SIGHT} as sight`;
