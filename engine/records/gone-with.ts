import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { EventDraft } from "../../model/events.ts";
import type { Writing } from "./draft.ts";
import type { RecordRow } from "./select.ts";

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
export async function goneWith(
  { query, caller }: Writing,
  kind: RecordKind,
  gone: Map<Uuid, RecordRow>,
): Promise<EventDraft[]> {
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
