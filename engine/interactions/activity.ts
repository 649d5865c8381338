import type { Uuid } from "../../base/values/ids.ts";
import type { Binder } from "../../database/binder.ts";

// The activity of a person holds the counts and times of contacts of users with them. It stands in the row of the
// person as a text, which is read for each person of a page, so little of it has to be parsed. The first line is about
// all users of the workspace: the time of the last interaction, their number, the id of the last one, its users. Each
// further line is about a user: uuid, time of the last one, number. Users stand in the order of their strength.
// docs/decisions/0012-interactions.md

/** Stands for anybody of the workspace where else the uuid of a user stands. */
export const ANYBODY = "00000000-0000-0000-0000-000000000000" as Uuid;

const UUID_LENGTH = 36;
const TIME_LENGTH = 24;

/** SQL of the activity of the record `r`, as far as it is counted. */
export const COUNTED_READ = "r.activity";

/**
 * SQL of the interactions of the record `r` that are not counted yet: JSON of [users, time, id], or null. Whether there
 * are any in the workspace, which mostly there are not, is looked up once for a statement. $1 is the workspace.
 */
export const UNCOUNTED_READ = `case when (select true from interaction_uncounted where workspace_id = $1 and date_time <= now() limit 1)
  then (select json_agg(json_build_array(q.user_ids, q.date_time, q.interaction_id)) from interaction_uncounted q
    where q.workspace_id = $1 and q.entity_id = r.id and q.date_time <= now()) end`;

/**
 * SQL of the activity of the person `r` by the rows of `interaction_counts`, for the column of the person's row.
 * @param workspace SQL of their workspace
 */
export const activityOfCounts = (workspace: string) => `(select string_agg(case when c.user_id = '${ANYBODY}'
    then concat_ws(' ', ${isoOf("c.last_at")}, c.count, c.last_id, array_to_string(c.last_by, ','))
    else concat_ws(' ', c.user_id, ${isoOf("c.last_at")}, c.count) end,
    E'\\n' order by c.user_id = '${ANYBODY}' desc, c.count desc, c.last_at desc, c.user_id)
  from interaction_counts c where c.workspace_id = ${workspace} and c.entity_id = r.id)`;

function isoOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A span of time, the end of which does not belong to it. */
export interface Span {
  from?: Date;
  until?: Date;
}

/**
 * SQL that is true for records `r` of which the last interaction with a user, or with anybody, lies in a span. The last
 * one that is counted may not be the last, and neither may one that is not counted yet, so each is looked at beside the
 * other. $1 is the workspace.
 */
export function lastTouchedIn(bind: Binder, user: Uuid | null, { from, until }: Span): string {
  const of = bind(user ?? ANYBODY, "uuid");
  const [first, end] = [from, until].map((time) => time && bind(time, "timestamptz"));
  const own = (q: string) => (user ? ` and ${of} = any(${q}.user_ids)` : "");
  const inSpan = (column: string) =>
    `${first ? ` and ${column} >= ${first}` : ""}${end ? ` and ${column} < ${end}` : ""}`;
  const notWaitingSince = (entity: string) =>
    end
      ? ` and not exists (select from interaction_uncounted w where w.workspace_id = $1 and w.entity_id = ${entity} and w.date_time >= ${end} and w.date_time <= now()${own("w")})`
      : "";
  const notCountedSince = end
    ? ` and not exists (select from interaction_counts l where l.workspace_id = $1 and l.entity_id = q.entity_id and l.user_id = ${of} and l.last_at >= ${end})`
    : "";
  const counted = `select c.entity_id from interaction_counts c where c.workspace_id = $1 and c.user_id = ${of}${inSpan("c.last_at")}${notWaitingSince("c.entity_id")}`;
  const waiting = `select q.entity_id from interaction_uncounted q where q.workspace_id = $1 and q.date_time <= now()${own("q")}${inSpan("q.date_time")}${notWaitingSince("q.entity_id")}${notCountedSince}`;
  return `exists (select from (${counted} union all ${waiting}) touched where touched.entity_id = r.id)`;
}

/** Number of contacts, and the time of the last one: ISO 8601 in UTC with milliseconds. */
export interface Contact {
  count: number;
  lastAt: string;
}

/** The contact of anybody in the workspace; the users are those of the last interaction. */
export function workspaceContact(activity: string): Contact & { lastBy: Uuid[] } {
  const [lastAt = "", count, , users = ""] = activity.slice(0, endOfLine(activity, 0)).split(" ");
  return { lastAt, count: Number(count), lastBy: usersIn(users) };
}

/** The list may be empty: an interaction need not have users of the workspace. */
function usersIn(list: string): Uuid[] {
  return list === "" ? [] : (list.split(",") as Uuid[]);
}

/** The contact of a user; undefined when they were never in touch. */
export function contactOf(activity: string, user: Uuid): Contact | undefined {
  const at = activity.indexOf(`\n${user} `);
  return at < 0 ? undefined : contactAt(activity, at + 1);
}

/**
 * The one of some users who was in touch most often; of several, the one who was so last. Undefined when none of them
 * was.
 */
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

/**
 * The activity of a person, including interactions that are not counted yet. Both parameters are as they were read;
 * null without interactions.
 */
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

/** If two have the same time, the one with the higher id is the last, as in lists of interactions. */
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
  return { lastAt, id: id as Uuid, users: usersIn(users) };
}
