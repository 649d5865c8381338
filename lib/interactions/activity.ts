import type { Binder } from "../database/binder.ts";
import type { Uuid } from "../values/ids.ts";

// How often and when users were in touch with a person stands in two tables: what is counted, in `interaction_counts`, and what is
// not counted yet, in `interaction_uncounted`. Both are read in the statement that reads the person, and added up here.
// docs/decisions/0010-interactions.md

/** Stands for anybody of the workspace where else the uuid of a user stands. */
export const ANYBODY = "00000000-0000-0000-0000-000000000000" as Uuid;

/**
 * SQL of the activity of the record `r`: JSON, or null for one without interactions, which nearly all records of a page are. A
 * row of counts is [user, count, last, id of the last, users of the last]; what is not counted yet is [users, time, id].
 */
export const ACTIVITY_READ = `(select case when counted.rows is not null or uncounted.rows is not null
    then json_build_array(counted.rows, uncounted.rows) end
  from (select json_agg(json_build_array(c.user_id, c.count, c.last_at, c.last_id, c.last_by)) as rows
      from interaction_counts c where c.workspace_id = r.workspace_id and c.entity_id = r.id) counted,
    (select json_agg(json_build_array(q.user_ids, q.date_time, q.interaction_id)) as rows
      from interaction_uncounted q where q.workspace_id = r.workspace_id and q.entity_id = r.id and q.date_time <= now()) uncounted)`;

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

type Counted = [user: Uuid, count: number, last: string, id: Uuid, users: Uuid[] | null];
type Uncounted = [users: Uuid[], time: string, id: Uuid];

/** How often, and when the last time. */
export interface Contact {
  count: number;
  /** ISO 8601 in UTC with milliseconds. */
  lastAt: string;
}

/** The interactions with a person whose time has come. */
export interface Activity {
  /** Of anybody. The users are those of the last interaction. */
  workspace: Contact & { lastBy: Uuid[] };
  byUser: Map<Uuid, Contact>;
}

interface Last {
  ms: number;
  id: Uuid;
}

/** What the SQL above has read; null without interactions. */
export function activityOf(text: string | null): Activity | null {
  if (text === null) return null;
  const [counted, uncounted] = JSON.parse(text) as [Counted[] | null, Uncounted[] | null];
  const all = new Map<Uuid, Last & { count: number; users: Uuid[] }>();
  const add = (user: Uuid, count: number, time: string, id: Uuid, users: Uuid[]) => {
    const last = { ms: Date.parse(time), id };
    const known = all.get(user);
    if (!known) all.set(user, { ...last, count, users });
    else {
      known.count += count;
      if (isLater(last, known)) Object.assign(known, last, { users });
    }
  };
  for (const [user, count, time, id, users] of counted ?? []) add(user, count, time, id, users ?? []);
  for (const [users, time, id] of uncounted ?? [])
    for (const user of [ANYBODY, ...users]) add(user, 1, time, id, users);
  const anybody = all.get(ANYBODY);
  if (!anybody) return null;
  all.delete(ANYBODY);
  const contact = ({ count, ms }: { count: number; ms: number }) => ({ count, lastAt: new Date(ms).toISOString() });
  return {
    workspace: { ...contact(anybody), lastBy: anybody.users },
    byUser: new Map([...all].map(([user, one]) => [user, contact(one)])),
  };
}

/** Of two at the same time the one with the higher id is the last, as in lists of interactions. */
function isLater(one: Last, other: Last): boolean {
  return one.ms > other.ms || (one.ms === other.ms && one.id > other.id);
}

/** The one of some users who was in touch most often; of several, the one who was so last. Undefined when none of them was. */
export function strongestOf({ byUser }: Activity, isWanted: (user: Uuid) => boolean): Uuid | undefined {
  let strongest: [Uuid, Contact] | undefined;
  for (const entry of byUser) {
    if (!isWanted(entry[0])) continue;
    if (!strongest || isStronger(entry[1], strongest[1])) strongest = entry;
  }
  return strongest?.[0];
}

function isStronger(one: Contact, other: Contact): boolean {
  return one.count > other.count || (one.count === other.count && one.lastAt > other.lastAt);
}
