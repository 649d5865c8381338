import type { Query } from "../database/query.ts";
import { printUuids } from "../database/uuid-list.ts";
import { newUuid, type Uuid } from "../values/ids.ts";
import type { EventDraft } from "./event.ts";

const INSERT = `
insert into outbox (workspace_id, id, type, record_id, body)
select workspace_id, id, type, record_id, body::json
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[]) e (workspace_id, id, type, record_id, body)`;

/** An event of any workspace. */
export type AnyEvent = EventDraft & { workspaceId: Uuid };

/**
 * Writes events in their order, in the transaction of what they tell, which is the caller's. One statement, more for
 * thousands, and none without events. Whoever commits it calls `eventsWritten` afterwards. docs/guides/events.md#no-change-without-its-event
 */
export function writeEvents(query: Query, workspaceId: Uuid, events: readonly EventDraft[]): Promise<void> {
  return insertEvents(
    query,
    events.map((event) => ({ ...event, workspaceId })),
  );
}

/** One statement inserts no more than these: with a record go as many notes as there are about it. */
const EVENTS_PER_STATEMENT = 5000;

/** The same for events of several workspaces. */
export async function insertEvents(query: Query, events: readonly AnyEvent[]): Promise<void> {
  for (let i = 0; i < events.length; i += EVENTS_PER_STATEMENT)
    await insertSome(query, events.slice(i, i + EVENTS_PER_STATEMENT));
}

async function insertSome(query: Query, events: readonly AnyEvent[]): Promise<void> {
  await query(INSERT, [
    printUuids(events.map(({ workspaceId }) => workspaceId)),
    printUuids(events.map(() => newUuid())),
    events.map(({ type }) => type),
    printUuids(events.map(({ recordId }) => recordId)),
    events.map(({ body }) => JSON.stringify(body)),
  ]);
}
