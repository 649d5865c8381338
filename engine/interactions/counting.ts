import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { LogEntry } from "../../model/log.ts";
import { appendToLog } from "../events/append.ts";
import { changed } from "../events/diff.ts";
import { ANYBODY, activityOfCounts, workspaceContact } from "./activity.ts";

// Code that changes counts holds the row of the person, or takes it first: so the changes of a person's counts follow
// one another, and no transactions deadlock. Locks are taken in the order person, interaction, uncounted rows.
// docs/decisions/0012-interactions.md

/** Number of interactions counted in one transaction. */
const COUNTED_AT_ONCE = 2000;

/** A transaction that changes counts of people, and takes the events that tell of it. */
export interface Counting {
  query: Query;
  caller: { workspaceId: Uuid };
  log: LogEntry[];
}

/**
 * Counts interactions of a workspace whose time has come, oldest first, and appends to the log what that changes. Gives
 * how many. Several processes may do so at once: each takes what no other has taken, and leaves those for later whose
 * person somebody is about to change. The transaction is the caller's.
 */
export async function countDue(query: Query, workspaceId: Uuid): Promise<number> {
  const taken = await query<{ entityId: Uuid; count: number }>(COUNT_DUE, [workspaceId, ANYBODY]);
  if (taken.length === 0) return 0;
  const counting: Counting = { query, caller: { workspaceId }, log: [] };
  await showCounts(
    counting,
    taken.map(({ entityId }) => entityId),
  );
  await appendToLog(query, { workspaceId }, counting.log);
  return taken.reduce((sum, { count }) => sum + count, 0);
}

const ADD_COUNTS = `on conflict (workspace_id, entity_id, user_id) do update set
    count = c.count + excluded.count,
    last_at = greatest(c.last_at, excluded.last_at),
    last_id = case when (excluded.last_at, excluded.last_id) > (c.last_at, c.last_id) then excluded.last_id else c.last_id end,
    last_by = case when (excluded.last_at, excluded.last_id) > (c.last_at, c.last_id) then excluded.last_by else c.last_by end`;

/** Counts one interaction whose time has come; without a row when it has not. */
const COUNT_ONE = `
insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at, last_id, last_by)
select $1, $2, u.user_id, 1, $4::timestamptz, $3, case when u.user_id = $6 then $5::uuid[] end
from unnest($6::uuid || $5::uuid[]) u (user_id) where $4::timestamptz <= now()
${ADD_COUNTS} returning 1`;

const COUNT_DUE = `/* background */
with due as (
  select q.entity_id, q.interaction_id from interaction_uncounted q
  join people p on p.workspace_id = q.workspace_id and p.id = q.entity_id
  where q.workspace_id = $1 and q.date_time <= now() order by q.date_time limit ${COUNTED_AT_ONCE}
  for update of q skip locked for no key update of p skip locked
), taken as (
  delete from interaction_uncounted q using due
  where q.workspace_id = $1 and q.entity_id = due.entity_id and q.interaction_id = due.interaction_id
  returning q.*
), latest as (
  select distinct on (t.entity_id, u.user_id) t.workspace_id, t.entity_id, u.user_id,
    count(*) over (partition by t.entity_id, u.user_id) as count, t.date_time, t.interaction_id, t.user_ids
  from taken t cross join lateral unnest($2::uuid || t.user_ids) u (user_id)
  order by t.entity_id, u.user_id, t.date_time desc, t.interaction_id desc
), counted as (
  insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at, last_id, last_by)
  select workspace_id, entity_id, user_id, count, date_time, interaction_id, case when user_id = $2 then user_ids end from latest
  ${ADD_COUNTS}
)
select entity_id as "entityId", count(*)::int as count from taken group by 1`;

/** Workspaces in which interactions wait to be counted: those of the longest due first. One small statement. */
export async function dueWorkspaces(query: Query): Promise<Uuid[]> {
  const rows = await query<{ workspaceId: Uuid }>(LOOK, []);
  return [...new Set(rows.map(({ workspaceId }) => workspaceId))];
}

const LOOK = `/* background */
select workspace_id as "workspaceId" from interaction_uncounted where date_time <= now() order by date_time limit ${COUNTED_AT_ONCE}`;

/**
 * Puts the counts of people into their rows, and tells of it in events. Gives the activity by person. The people are
 * locked.
 */
async function showCounts({ query, caller, log }: Counting, people: Uuid[]): Promise<Map<Uuid, string | null>> {
  const rows = await query<TextRow>(SHOW_COUNTS, [caller.workspaceId, printUuids(people)], "texts");
  for (const [person, before, after, memberships] of rows) {
    const groups = (JSON.parse(memberships ?? "[]") as { groupId: Uuid }[]).map(({ groupId }) => groupId);
    log.push(...activityEntries({ person: person as Uuid, before: before ?? null, after: after ?? null, groups }));
  }
  return new Map(rows.map(([id, , activity]) => [id as Uuid, activity ?? null]));
}

const SHOW_COUNTS = `
update people r set activity = ${activityOfCounts("$1")} from people old
where r.workspace_id = $1 and r.id = any($2::uuid[]) and old.workspace_id = r.workspace_id and old.id = r.id
returning r.id, old.activity, r.activity, r.memberships`;

/**
 * Keeps people from other changes, and their counts with them, until the transaction ends. What is no person is passed
 * over.
 */
export async function lockPeople(query: Query, workspaceId: Uuid, people: Uuid[]): Promise<void> {
  await query("select id from people where workspace_id = $1 and id = any($2::uuid[]) order by id for no key update", [
    workspaceId,
    printUuids(people),
  ]);
}

/** An interaction with a person, as it was before it is changed or deleted. */
export interface Told {
  personId: Uuid;
  userIds: Uuid[];
}

/**
 * Takes an interaction out of the counts of its people, whether it is counted already or not. They are locked, and the
 * rows of the interaction in `interaction_entities` have been deleted or changed before, in the same transaction.
 */
export async function uncount(counting: Counting, interaction: Uuid, told: Told[]): Promise<void> {
  const counted = await takeOut(counting, interaction, told);
  if (counted.length > 0) await showCounts(counting, counted);
}

/** An interaction of some users with a person, which is locked. */
export interface Moved {
  interaction: Uuid;
  personId: Uuid;
  userIds: Uuid[];
  dateTime: Date;
}

/**
 * Counts an interaction with a person at another time, in the place of the one that it had. Its row in
 * `interaction_entities` was changed before. What was counted and is due again is counted at once: answers never show a
 * person without it, so no event may tell so. docs/decisions/0012-interactions.md
 */
export async function countAnew(
  counting: Counting,
  { interaction, personId, userIds, dateTime }: Moved,
): Promise<void> {
  const { query, caller } = counting;
  const [counted] = await takeOut(counting, interaction, [{ personId, userIds }]);
  const values = [caller.workspaceId, personId, interaction, dateTime, printUuids(userIds)];
  const [isCounted] = counted ? await query(COUNT_ONE, [...values, ANYBODY]) : [];
  if (!isCounted) await query(WAIT, values);
  if (counted) await showCounts(counting, [counted]);
}

const WAIT = `
insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids) values ($1, $2, $3, $4, $5::uuid[])`;

/**
 * Takes an interaction out of the counts, and returns the people it was counted for. Their rows show it until
 * `showCounts`.
 */
async function takeOut(counting: Counting, interaction: Uuid, told: Told[]): Promise<Uuid[]> {
  const { query, caller } = counting;
  const { workspaceId } = caller;
  const people = told.map(({ personId }) => personId);
  const waiting = await query<{ personId: Uuid }>(
    `delete from interaction_uncounted where workspace_id = $1 and interaction_id = $2 and entity_id = any($3::uuid[])
     returning entity_id as "personId"`,
    [workspaceId, interaction, printUuids(people)],
  );
  const isWaiting = new Set(waiting.map(({ personId }) => personId));
  const counted = told.filter(({ personId }) => !isWaiting.has(personId));
  for (const { personId, userIds } of counted)
    await query(UNCOUNT, [workspaceId, personId, printUuids([ANYBODY, ...userIds]), ANYBODY]);
  return counted.map(({ personId }) => personId);
}

/** The last one is looked for anew, by the index of the person's interactions in order of time. */
const UNCOUNT = `
with changed as (
  update interaction_counts c set count = c.count - 1, (last_at, last_id, last_by) = (
    select e.date_time, e.interaction_id, case when c.user_id = $4 then e.user_ids end from interaction_entities e
    where e.workspace_id = $1 and e.entity_id = c.entity_id and e.date_time <= now()
      and (c.user_id = $4 or c.user_id = any(e.user_ids))
    order by e.date_time desc, e.interaction_id desc limit 1)
  where c.workspace_id = $1 and c.entity_id = $2 and c.user_id = any($3::uuid[]) and c.count > 1
  returning 1
)
delete from interaction_counts where workspace_id = $1 and entity_id = $2 and user_id = any($3::uuid[]) and count = 1`;

/** Makes the counts of people anew from their interactions, and gives the activity by person. They are locked. */
export async function recount(counting: Counting, people: Uuid[]): Promise<Map<Uuid, string | null>> {
  const { query, caller } = counting;
  const { workspaceId } = caller;
  const values = [workspaceId, printUuids(people)];
  for (const table of ["interaction_uncounted", "interaction_counts"])
    await query(`delete from ${table} where workspace_id = $1 and entity_id = any($2::uuid[])`, values);
  await query(
    `insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids)
     select workspace_id, entity_id, interaction_id, date_time, user_ids from interaction_entities
     where workspace_id = $1 and entity_id = any($2::uuid[]) and entity_kind = 'person' and date_time > now()`,
    values,
  );
  await query(RECOUNT, [...values, ANYBODY]);
  return showCounts(counting, people);
}

const RECOUNT = `
insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id, last_by)
select distinct on (e.entity_id, u.user_id) e.workspace_id, e.entity_id, u.user_id,
  count(*) over (partition by e.entity_id, u.user_id), e.date_time, e.interaction_id, case when u.user_id = $3 then e.user_ids end
from interaction_entities e cross join lateral unnest($3::uuid || e.user_ids) u (user_id)
where e.workspace_id = $1 and e.entity_id = any($2::uuid[]) and e.entity_kind = 'person' and e.date_time <= now()
order by e.entity_id, u.user_id, e.date_time desc, e.interaction_id desc`;

/**
 * Makes the interactions with merged records be with the survivor; one that was with several of them is with the
 * survivor once. The records are locked by the transaction, which is the caller's. Gives the activity in the row of the
 * survivor if it has changed: everything due is counted. The merged records get no events, because they are gone.
 */
export async function moveInteractions(
  { query, caller, log }: Counting,
  survivor: Uuid,
  merged: Uuid[],
): Promise<{ activity: string | null; uncounted: null } | undefined> {
  const moved = await query(MOVE, [caller.workspaceId, survivor, printUuids(merged)]);
  if (moved.length === 0) return undefined;
  await query("delete from interaction_entities where workspace_id = $1 and entity_id = any($2::uuid[])", [
    caller.workspaceId,
    printUuids(merged),
  ]);
  const told: LogEntry[] = [];
  const activities = await recount({ query, caller, log: told }, [survivor, ...merged]);
  log.push(...told.filter(({ recordId }) => recordId === survivor));
  return { activity: activities.get(survivor) ?? null, uncounted: null };
}

const MOVE = `
insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
select distinct on (interaction_id) workspace_id, interaction_id, $2, entity_kind, position, date_time, interaction_type, user_ids
from interaction_entities where workspace_id = $1 and entity_id = any($3::uuid[]) order by interaction_id, position
on conflict (workspace_id, interaction_id, entity_id) do update
  set position = least(interaction_entities.position, excluded.position)
returning 1`;

/** Change of the activity of a person, as their row holds it; null without any. */
interface ActivityChange {
  person: Uuid;
  before: string | null;
  after: string | null;
  groups: Uuid[];
}

/**
 * The entry of a change in the counts or times of the workspace's contacts with a person; none when they stay the same.
 * An interaction that waits to be counted is in the event of its count. docs/guides/events.md#types
 */
function activityEntries({ person, before, after, groups }: ActivityChange): LogEntry[] {
  const [old, now] = [contactShown(before), contactShown(after)];
  const changes = Object.entries(now).flatMap(([name, value]) =>
    changed(["interactionMetadata", "workspace", name], old[name], value),
  );
  if (changes.length === 0) return [];
  return [{ type: "person.workspace_interaction_metadata_updated", recordId: person, body: { groups, changes } }];
}

function contactShown(activity: string | null): Record<string, unknown> {
  if (activity === null) return { approximateCount: 0, lastInteractedAt: null, lastInteractedBy: [] };
  const { count, lastAt, lastBy } = workspaceContact(activity);
  return {
    approximateCount: count,
    lastInteractedAt: lastAt,
    lastInteractedBy: lastBy.map((uuid) => ({ id: toId("user", uuid) })),
  };
}
