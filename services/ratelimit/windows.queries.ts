import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import type { User } from "./limiter.ts";

/** Number of users in one statement. It has to end within the 2 s that statements of a shared connection have. */
const USERS_AT_ONCE = 500;

/** The stamps that the log of a user in the database lacks, by their ages in microseconds. */
export interface Missed {
  user: User;
  ages: number[];
}

/** The log of a user that the last stop has left. The newest of its stamps stands for `newestUnits` requests. */
export interface Left extends Missed {
  newestUnits: number;
}

/** The connection of these statements. They may wait for the lock of a row, so nothing else may have to wait for them. */
const LANE = "rate windows";

/** The policies, and for how many requests a stamp stands. */
export interface Windows {
  policies: readonly Policy[];
  units: number;
}

/** Opens the connection of the rate windows. */
export async function connect(database: Database): Promise<void> {
  await database.lane(LANE).read("select 1");
}

/**
 * Counts a request of a user in the windows in the database, or gives its refusal. The ages are of stamps that the
 * database lacks, which it gets before.
 */
export async function countStored(
  database: Database,
  { policies, units }: Windows,
  { user, ages }: Missed,
): Promise<Decision> {
  const [row] = await database
    .lane(LANE)
    .read<{ decision: string }>("select take_from_rate_windows($1, $2, $3, $4, $5, $6, true) as decision", [
      user.workspaceId,
      user.userId,
      ...windowValues(policies),
      units,
      sqlArray(ages),
    ]);
  const [refusing = 0, waitUs = 0, ...standings] = (row?.decision ?? "").split(",").map(Number);
  return {
    standings: policies.map(({ quota }, i) => ({
      remaining: Math.max(0, quota - (standings[2 * i] ?? 0)),
      resetMs: (standings[2 * i + 1] ?? 0) / 1000,
    })),
    exceeded: policies[refusing - 1]?.name ?? null,
    retryAfterMs: waitUs / 1000,
  };
}

/** Adds to the logs of users in the database the stamps that they lack. */
export async function tellMissed(database: Database, { policies, units }: Windows, missed: Missed[]): Promise<void> {
  // Two processes lock the rows in the same order, so they wait for each other instead of deadlocking.
  const sorted = missed
    .filter(({ ages }) => ages.length > 0)
    .sort((one, other) => (rowOf(one) < rowOf(other) ? -1 : 1));
  for (let i = 0; i < sorted.length; i += USERS_AT_ONCE) {
    const some = sorted.slice(i, i + USERS_AT_ONCE);
    await database.lane(LANE).read(
      `select count(take_from_rate_windows(workspace_id, user_id, $4, $5, $6, ages::bigint[], false))
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as missed(workspace_id, user_id, ages)`,
      [
        some.map(({ user }) => user.workspaceId),
        some.map(({ user }) => user.userId),
        some.map(({ ages }) => sqlArray(ages)),
        ...windowValues(policies),
        units,
      ],
    );
  }
}

/** Takes all logs out of the database and gives them, with the ages that their stamps have at this moment. */
export async function takeAllStored(database: Database): Promise<Left[]> {
  const left: Left[] = [];
  for (;;) {
    const rows = await database
      .lane(LANE)
      .read<{ workspaceId: string; userId: string; ages: string; newestUnits: number }>(
        `delete from rate_windows where ctid = any(array(select ctid from rate_windows limit ${USERS_AT_ONCE}))
       returning workspace_id as "workspaceId", user_id as "userId", newest_units as "newestUnits",
         array(select (extract(epoch from clock_timestamp()) * 1000000)::bigint - stamp from unnest(stamps) stamp)::text as ages`,
      );
    for (const { workspaceId, userId, ages, newestUnits } of rows)
      left.push({ user: { workspaceId, userId }, ages: numbersOf(ages), newestUnits });
    if (rows.length < USERS_AT_ONCE) return left;
  }
}

/** Deletes the logs of users for whom nothing counts any more; several processes may do so at once. */
export async function purgeIdle(database: Database, longestMs: number): Promise<void> {
  for (;;) {
    const rows = await database.queryAlone(
      `delete from rate_windows where ctid = any(array(
         select ctid from rate_windows
         where coalesce(stamps[cardinality(stamps)], 0) <= extract(epoch from clock_timestamp()) * 1000000 - $1::bigint
         limit ${USERS_AT_ONCE} for update skip locked)) returning 1`,
      [longestMs * 1000],
    );
    if (rows.length < USERS_AT_ONCE) return;
  }
}

function windowValues(policies: readonly Policy[]): [quotas: string, windows: string] {
  return [sqlArray(policies.map(({ quota }) => quota)), sqlArray(policies.map(({ windowS }) => windowS * 1_000_000))];
}

function rowOf({ user }: Missed): string {
  return `${user.workspaceId} ${user.userId}`;
}

function sqlArray(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}

function numbersOf(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}
