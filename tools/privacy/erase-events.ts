import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import type { Change } from "../../model/events.ts";
import { type Moment, writtenSince } from "./candidates.ts";
import { searched } from "./folded-for-search.ts";
import { idMarksOf, withoutEntries } from "./identifiers.ts";
import { rewrite } from "./rewrite.ts";
import { isIdOf, type Subject, uuidsOfSubject } from "./subject.ts";

/**
 * Events that wait to be passed on stand in the outbox by `seq`, those that were passed on stand in `events` by
 * `position`.
 */
export type EventTable = "outbox" | "events";
const PLACE: Record<EventTable, string> = { outbox: "seq", events: "position" };

/** Content of an event. */
export interface EventBody {
  changes?: Change[];
  details?: Record<string, unknown>;
}

/** A person, and the uuids of notes and tasks about them. */
export interface About {
  subject: Subject;
  about: readonly Uuid[];
}

/** An event that is about a person, or names one by an id. */
export interface FoundEvent {
  id: Uuid;
  /** Its `seq` or `position`. */
  place: string;
  /** Whether it goes as a whole. */
  goes: boolean;
}

interface Stored {
  id: Uuid;
  place: string;
  recordId: Uuid;
  body: string;
}

/**
 * Events that are about a person, or name one by an id.
 * @param since only those that were written into the table since then
 * @param behind only those with a higher position
 */
export async function findEvents(
  query: Query,
  table: EventTable,
  { workspaceId, since = null, behind = null, ...of }: Range & About,
): Promise<FoundEvent[]> {
  const marks = idMarksOf(of.subject);
  const subjects = [...uuidsOfSubject(of.subject), ...of.about];
  const conditions = [
    "t.workspace_id = $1",
    ...(since === null ? ["$4::text is null"] : [writtenSince("t", "$4")]),
    `($5::bigint is null or t.${PLACE[table]} > $5)`,
    `(t.record_id = any($2::uuid[]) or ${searched("t.body::text")} like any($3::text[]))`,
  ];
  const select = `select t.id, t.${PLACE[table]}::text as place, t.record_id as "recordId", t.body::text as body
    from ${table} t where ${conditions.join(" and ")} order by t.${PLACE[table]}`;
  const found: FoundEvent[] = [];
  const isOwn = new Set<string>(subjects);
  for await (const rows of pagesOf<Stored>(query, select, [workspaceId, subjects, marks.patterns, since, behind]))
    for (const { id, place, recordId, body } of rows)
      if (isOwn.has(recordId)) found.push({ id, place, goes: true });
      else if (marks.areIn(body))
        found.push({ id, place, goes: withoutSubject(JSON.parse(body), of.subject) === null });
  return found;
}

interface Range {
  workspaceId: Uuid;
  since?: Moment | null;
  behind?: string | null;
}

/** The position of the last event that was passed on. */
export async function lastPosition(query: Query): Promise<string> {
  const [log] = await query<{ position: string }>("select last_position::text as position from event_log", []);
  return log?.position ?? "0";
}

/** Deletes some of these events, and removes a person from the others. */
export async function eraseFoundEvents(
  query: Query,
  table: EventTable,
  { workspaceId, subject, found }: { workspaceId: Uuid; subject: Subject; found: readonly FoundEvent[] },
): Promise<void> {
  const column = PLACE[table];
  const places = (goes: boolean) => found.filter((one) => one.goes === goes).map(({ place }) => place);
  await query(`delete from ${table} where workspace_id = $1 and ${column} = any($2::bigint[])`, [
    workspaceId,
    places(true),
  ]);
  await rewrite<{ body: EventBody }>(
    query,
    { workspaceId, table, columns: { body: "json" }, key: { column, type: "bigint" } },
    places(false),
    (rows) => rows.map(({ body }) => ({ body: JSON.stringify(withoutSubject(body, subject) ?? {}) })),
  );
}

/**
 * The body of an event about another record, without a person; null if it is about a deleted note or reminder of that
 * person.
 */
export function withoutSubject(body: EventBody, subject: Subject): EventBody | null {
  const isId = isIdOf(subject);
  if (isId(body.details?.entityId)) return null;
  const changes = body.changes?.flatMap((change): Change[] => {
    const value = withoutEntries(change.value, isId);
    const isEmpty = Array.isArray(value) && value.length === 0;
    return isEmpty || isId(value) || isId((value as { id?: unknown } | null)?.id) ? [] : [{ ...change, value }];
  });
  return { ...body, ...(changes && { changes }) };
}
