import type { Query } from "../database/query.ts";
import { printUuids } from "../database/uuid-list.ts";
import { newUuid, type Uuid } from "../values/ids.ts";
import type { EventDraft } from "./event.ts";

const INSERT = `
insert into outbox (workspace_id, id, type, record_id, body)
select $1, id, type, record_id, body::json from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) e (id, type, record_id, body)`;

/**
 * Writes events in their order, in the transaction of what they tell, which is the caller's. One statement, and none without
 * events. Whoever commits it calls `eventsWritten` afterwards. docs/guides/events.md#no-change-without-its-event
 */
export async function writeEvents(query: Query, workspaceId: Uuid, events: readonly EventDraft[]): Promise<void> {
  if (events.length === 0) return;
  await query(INSERT, [
    workspaceId,
    printUuids(events.map(() => newUuid())),
    events.map(({ type }) => type),
    printUuids(events.map(({ recordId }) => recordId)),
    events.map(({ body }) => JSON.stringify(body)),
  ]);
}
