import type { Database } from "../../lib/database/database.ts";
import type { EventBody, EventType } from "../../lib/events/event.ts";
import { newUuid, type Uuid } from "../../lib/values/ids.ts";

/** An event that stands among the events of a workspace without anything having happened. */
export interface MadeUp {
  position: number;
  id: Uuid;
  recordId: Uuid;
}

/** Puts an event behind all others, at a position that whoever passes events on does not use again. */
export async function publish(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  type: EventType,
  body: EventBody = {},
  id = newUuid(),
): Promise<MadeUp> {
  const recordId = newUuid();
  const [made] = await database.read<{ position: number }>(
    `with next as (update event_log set last_position = last_position + 1 returning last_position)
     insert into events (workspace_id, position, id, type, record_id, body, published_at)
     select $1, last_position, $2, $3, $4, $5::json, now() from next returning position::float8 as position`,
    [workspaceId, id, type, recordId, JSON.stringify(body)],
  );
  if (!made) throw new Error("No event was made");
  return { position: made.position, id, recordId };
}
