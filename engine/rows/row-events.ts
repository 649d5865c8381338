import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { EventKind, EventType } from "../../model/events.ts";
import type { Changed, LogBody, LogEntry } from "../../model/log.ts";
import type { Resource, Row, Viewer } from "../../model/resources/resource.ts";
import { changed } from "../events/diff.ts";
import { presentRow } from "./rows.ts";

/** A write of a row that has events: the row before and after; null where there is none. */
export interface RowChange {
  before: Row | null;
  after: Row | null;
}

/** A transaction that tells of rows in events. */
interface Telling extends Viewer {
  query: Query;
  log: LogEntry[];
}

/**
 * Tells in an event what became of a thing of a plain resource, as answers show it; nothing when it stays the same.
 * docs/guides/events.md#which-events-a-change-makes
 * @param usersOf the only users who see a private one; undefined for one that everybody sees who sees its record
 */
export async function tellOfRow(
  telling: Telling,
  resource: Resource,
  { before, after }: RowChange,
  usersOf: (row: Row) => Uuid[] | undefined,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const changes = before && after ? rowChanges(resource, telling, before, after) : undefined;
  if (changes?.length === 0) return;
  const verb = changes ? "updated" : after ? "created" : "deleted";
  const body: LogBody = {
    ...(await contextOf(telling, before, row, usersOf(row))),
    ...(changes && { changes }),
    ...(verb === "deleted" && { details: entityDetails(row) }),
  };
  telling.log.push({ type: eventType(resource, verb), recordId: row.uuid, body });
}

/** Users who may see the event. */
async function contextOf(telling: Telling, before: Row | null, row: Row, users: Uuid[] | undefined): Promise<LogBody> {
  const home = await homeOf(telling, row);
  const left = before && before.entityId !== row.entityId ? await homeOf(telling, before) : undefined;
  return { ...(home && { home }), ...(left && left !== home && { leftHome: left }), ...(users && { users }) };
}

function eventType({ kind }: Resource, verb: string): EventType {
  return `${kind as EventKind}.${verb}` as EventType;
}

/** Details in events of deletions about the record of the deleted thing. */
function entityDetails({ entityKind, entityId }: Row): Record<string, unknown> {
  return { entityId: toId(entityKind as RecordKind, entityId as Uuid), entityType: entityKind };
}

function rowChanges(resource: Resource, viewing: Viewer, before: Row, after: Row): Changed[] {
  const [old, now] = [before, after].map((row) => presentRow(resource, row, viewing));
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const changes = changed([name], old?.[name] ?? null, now?.[name] ?? null);
    return field.untold ? changes.map((change): Changed => ({ ...change, untold: true })) : changes;
  });
}

/**
 * The group of the object that a thing is about: only who sees the group sees the thing. Undefined for people and
 * companies.
 */
export async function homeOf(
  { query, caller }: Pick<Telling, "query" | "caller">,
  { entityKind, entityId }: Record<string, unknown>,
): Promise<Uuid | undefined> {
  if (entityKind !== "object") return undefined;
  const [row] = await query<{ groupId: Uuid }>(
    'select group_id as "groupId" from object_groups where workspace_id = $1 and object_id = $2',
    [caller.workspaceId, entityId],
  );
  return row?.groupId;
}
