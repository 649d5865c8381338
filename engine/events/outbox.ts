import { divide, mapInSlices } from "../../base/loop/in-slices.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { EventDraft } from "../../model/events.ts";

const INSERT = `
insert into outbox (workspace_id, id, type, record_id, body)
select workspace_id, id, type, record_id, body::json
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[]) e (workspace_id, id, type, record_id, body)`;

/** An event of any workspace. */
export type AnyEvent = EventDraft & { workspaceId: Uuid };

/**
 * Writes events in their order, in the transaction of their changes, which is the caller's. One statement, more for
 * thousands or for very long ones, and none without events. The caller calls `eventsWritten` after the commit.
 * docs/guides/events.md#no-change-without-its-event
 * @returns the last statement, when all others are through: COMMIT may be sent behind it
 */
export async function sendEvents(
  query: Query,
  workspaceId: Uuid,
  events: readonly EventDraft[],
): Promise<{ last: Promise<void> }> {
  const written = await mapInSlices(events, (event) => ({ ...event, workspaceId, text: JSON.stringify(event.body) }));
  const parts = divide(written, ({ text }) => text.length + LENGTH_AROUND, LENGTH_PER_STATEMENT);
  for (const part of parts.slice(0, -1)) await insertSome(query, part);
  return { last: insertSome(query, parts.at(-1) ?? []) };
}

/** The same, waiting for the last statement too. */
export async function writeEvents(query: Query, workspaceId: Uuid, events: readonly EventDraft[]): Promise<void> {
  await (await sendEvents(query, workspaceId, events)).last;
}

/**
 * One statement inserts no more than this, in UTF-16 units: values of records may be long, and thousands of notes go
 * with a record.
 */
const LENGTH_PER_STATEMENT = 2 * 1024 * 1024;
/** Approximate length of an event without its body. */
const LENGTH_AROUND = 200;

/** The same for events of several workspaces. */
export async function insertEvents(query: Query, events: readonly AnyEvent[]): Promise<void> {
  const written = events.map((event) => ({ ...event, text: JSON.stringify(event.body) }));
  for (const part of divide(written, ({ text }) => text.length + LENGTH_AROUND, LENGTH_PER_STATEMENT))
    await insertSome(query, part);
}

async function insertSome(query: Query, events: readonly (AnyEvent & { text: string })[]): Promise<void> {
  if (events.length === 0) return;
  await query(INSERT, [
    printUuids(events.map(({ workspaceId }) => workspaceId)),
    printUuids(events.map(() => newUuid())),
    events.map(({ type }) => type),
    printUuids(events.map(({ recordId }) => recordId)),
    events.map(({ text }) => text),
  ]);
}
