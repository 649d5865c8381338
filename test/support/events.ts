import { newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import { lockKeyOf, TAKE_PLACE } from "../../engine/events/append.ts";
import type { StoredEntry } from "../../engine/feed/published.ts";
import { EVENT_TYPES } from "../../model/events.ts";
import { eventTypesOf, type LogType } from "../../model/log.ts";

/** An entry of the log that is written without anything having happened. */
export interface TestEvent {
  type?: LogType;
  recordId?: Uuid;
  /** Its changes are those of the log, or those that its event tells, as in entries of older releases. */
  body?: StoredEntry["body"];
  /** It tells when the event was made. By default a new one, made now. */
  id?: Uuid;
}

/** An event of the feed, as far as tests look into it. */
export interface Told {
  id: string;
  type: string;
  data: { id: string; changes?: { path: string[]; value?: unknown }[] };
}

/** An event that stands among those of a workspace. */
export interface Published {
  /** The position of the event. An entry of the log may make two events; then it is the position of the first. */
  position: number;
  id: Uuid;
  recordId: Uuid;
}

/**
 * Writes entries into the log of a workspace, all in one transaction, as a write does that has changed something. Gives
 * the ids by which the feed tells what they are about, in their order.
 */
export async function publish(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  events: TestEvent[],
): Promise<string[]> {
  const published = await publishAll(database, workspaceId, events);
  return published.map(({ kind, recordId }) => toId(kind, recordId));
}

/** Writes one entry into the log of a workspace. */
export async function publishOne(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  event: TestEvent,
): Promise<Published> {
  const [published] = await publishAll(database, workspaceId, [event]);
  if (!published) throw new Error("No event was published");
  return published;
}

const WRITE = `
insert into change_log (workspace_id, id, type, record_id, source, body)
select $1, (e->>'id')::uuid, e->>'type', (e->>'recordId')::uuid, 'api', e->'body'
from ${TAKE_PLACE} l, json_array_elements($3::json) with ordinality given (e, n) order by n
returning seq::float8 as position`;

async function publishAll(database: Pick<Database, "read">, workspaceId: Uuid, events: TestEvent[]) {
  const rows = events.map(({ type = "person.created", recordId = newUuid(), body = {}, id = newUuid() }) => ({
    type,
    recordId,
    body,
    id,
  }));
  const positions = await database.read<{ position: number }>(WRITE, [
    workspaceId,
    lockKeyOf(workspaceId),
    JSON.stringify(rows),
  ]);
  return rows.map(({ type, recordId, id }, i) => {
    const [first = "person.created"] = eventTypesOf(type);
    return { kind: EVENT_TYPES[first].kind, recordId, id, position: positions[i]?.position ?? 0 };
  });
}

/** The newest number of the log: entries that are written later have higher ones. */
export async function newestSeq(database: Pick<Database, "read">): Promise<number> {
  const [row] = await database.read<{ seq: number }>("select last_value::float8 as seq from change_log_seq");
  return row?.seq ?? 0;
}
