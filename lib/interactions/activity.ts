import type { Binder } from "../database/binder.ts";
import type { Uuid } from "../values/ids.ts";

// How often and when users were in touch with a person is their activity. It stands in the row of the person as a text, which is
// read for each person of a page and therefore made so that little of it need be looked at. The first line is about anybody of the
// workspace: the time of the last interaction, their number, the id of the last one, its users. Each further line is about a user:
// uuid, time of the last one, number. Users stand in the order of their strength. docs/decisions/0011-interactions.md

/** Stands for anybody of the workspace where else the uuid of a user stands. */
export const ANYBODY = "00000000-0000-0000-0000-000000000000" as Uuid;

const UUID_LENGTH = 36;
const TIME_LENGTH = 24;

/** SQL of the activity of the record `r`, as far as it is counted. */
export const COUNTED_READ = "r.activity";

/**
 * SQL of the interactions of the record `r` that are not counted yet: JSON of [users, time, id], or null. Whether there are any in
 * the workspace, which mostly there are not, is looked up once for a statement. $1 is the workspace.
 */
export const UNCOUNTED_READ = `case when (select true from interaction_uncounted where workspace_id = $1 and date_time <= now() limit 1)
  then (select json_agg(json_build_array(q.user_ids, q.date_time, q.interaction_id)) from interaction_uncounted q
    where q.workspace_id = $1 and q.entity_id = r.id and q.date_time <= now()) end`;

/** SQL of the activity of the person `r` by the rows of `interaction_counts`, for the column of the person's row. */
export const ACTIVITY_OF_COUNTS = `(select string_agg(case when c.user_id = '${ANYBODY}'
    then concat_ws(' ', ${isoOf("c.last_at")}, c.count, c.last_id, array_to_string(c.last_by, ','))
    else concat_ws(' ', c.user_id, ${isoOf("c.last_at")}, c.count) end,
    E'\\n' order by c.user_id = '${ANYBODY}' desc, c.count desc, c.last_at desc, c.user_id)
  from interaction_counts c where c.workspace_id = r.workspace_id and c.entity_id = r.id)`;

function isoOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL that is true for records `r` with which a user, or anybody, was in touch at that time or later, or ever. $1 is the workspace.
 */
export function touchedSince(bind: Binder, user: Uuid | null, since: Date | null): string {
  const of = bind(user ?? ANYBODY, "uuid");
  const from = since && bind(since, "timestamptz");
  const counted = `select c.entity_id from interaction_counts c where c.workspace_id = $1 and c.user_id = ${of}${from ? ` and c.last_at >= ${from}` : ""}`;
  const uncounted = `select q.entity_id from interaction_uncounted q where q.workspace_id = $1 and q.date_time <= now()${user ? ` and ${of} = any(q.user_ids)` : ""}${from ? ` and q.date_time >= ${from}` : ""}`;
  return `exists (select from (${counted} union all ${uncounted}) touched where touched.entity_id = r.id)`;
}

/** How often, and when the last time: ISO 8601 in UTC with milliseconds. */
export interface Contact {
  count: number;
  lastAt: string;
}

/** The contact of anybody in the workspace; the users are those of the last interaction. */
export function workspaceContact(activity: string): Contact & { lastBy: Uuid[] } {
  const [lastAt = "", count, , users = ""] = activity.slice(0, endOfLine(activity, 0)).split(" ");
  return { lastAt, count: Number(count), lastBy: users.split(",") as Uuid[] };
}

/** The contact of a user; undefined when they were never in touch. */
export function contactOf(activity: string, user: Uuid): Contact | undefined {
  const at = activity.indexOf(`\n${user} `);
  return at < 0 ? undefined : contactAt(activity, at + 1);
}

/** The one of some users who was in touch most often; of several, the one who was so last. Undefined when none of them was. */
export function strongestOf(activity: string, isWanted: (user: Uuid) => boolean): Uuid | undefined {
  for (let at = activity.indexOf("\n"); at >= 0; at = activity.indexOf("\n", at + 1)) {
    const user = activity.slice(at + 1, at + 1 + UUID_LENGTH) as Uuid;
    if (isWanted(user)) return user;
  }
  return undefined;
}

/** The line of a user that begins at this place. */
function contactAt(activity: string, at: number): Contact {
  const time = at + UUID_LENGTH + 1;
  const count = time + TIME_LENGTH + 1;
  return { lastAt: activity.slice(time, count - 1), count: Number(activity.slice(count, endOfLine(activity, count))) };
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
}

type Uncounted = [users: Uuid[], time: string, id: Uuid];

/** The last interaction with a person. */
interface Last {
  lastAt: string;
  id: Uuid;
  users: Uuid[];
}

/** The activity of a person with what is not counted yet. Both are as they were read; null without interactions. */
export function activityOf(counted: string | null, uncounted: string | null): string | null {
  if (uncounted === null) return counted;
  const waiting = (JSON.parse(uncounted) as Uncounted[]).map(
    ([users, time, id]): Last => ({ users, id, lastAt: new Date(time).toISOString() }),
  );
  const byUser = new Map(counted === null ? [] : userLines(counted));
  for (const { users, lastAt } of waiting)
    for (const user of users) byUser.set(user, together(byUser.get(user), { count: 1, lastAt }));
  const lasts = [...waiting, ...(counted === null ? [] : [lastOf(counted)])];
  const { lastAt, id, users } = lasts.reduce((last, one) => (isLater(one, last) ? one : last));
  const count = waiting.length + (counted === null ? 0 : workspaceContact(counted).count);
  const strongestFirst = [...byUser].sort(([a, one], [b, other]) => compareStrength(one, other) || (a < b ? -1 : 1));
  const lines = strongestFirst.map(([user, contact]) => `${user} ${contact.lastAt} ${contact.count}`);
  return [`${lastAt} ${count} ${id} ${users.join(",")}`, ...lines].join("\n");
}

function together(one: Contact | undefined, other: Contact): Contact {
  if (!one) return other;
  return { count: one.count + other.count, lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt };
}

/** Of two at the same time the one with the higher id is the last, as in lists of interactions. */
function isLater(one: Last, other: Last): boolean {
  return one.lastAt > other.lastAt || (one.lastAt === other.lastAt && one.id > other.id);
}

/** Puts the stronger contact first. */
function compareStrength(one: Contact, other: Contact): number {
  if (one.count !== other.count) return other.count - one.count;
  return other.lastAt.localeCompare(one.lastAt);
}

function userLines(activity: string): [Uuid, Contact][] {
  const lines: [Uuid, Contact][] = [];
  for (let at = activity.indexOf("\n"); at >= 0; at = activity.indexOf("\n", at + 1))
    lines.push([activity.slice(at + 1, at + 1 + UUID_LENGTH) as Uuid, contactAt(activity, at + 1)]);
  return lines;
}

function lastOf(activity: string): Last {
  const [lastAt = "", , id, users = ""] = activity.slice(0, endOfLine(activity, 0)).split(" ");
  return { lastAt, id: id as Uuid, users: users.split(",") as Uuid[] };
}
