import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import type { User } from "./limiter.ts";

/** Number of users in one statement. It has to end within the 2 s that statements of a shared connection have. */
const USERS_AT_ONCE = 500;

/** The log of a user: the ages of its stamps in microseconds, oldest first. */
interface StoredLog {
  user: User;
  ages: number[];
}

/** The log of a user that the last stop has left. The newest of its stamps stands for `newestUnits` requests. */
interface Left extends StoredLog {
  newestUnits: number;
}

/**
 * The connection of these statements. They may wait for the lock of a row, so nothing else may have to wait for them.
 */
const LANE = "rate windows";

/** The policies, and for how many requests a stamp stands. */
interface Windows {
  policies: readonly Policy[];
  units: number;
}

/** Counts a request of a user in the windows in the database, or gives its refusal. */
export async function countStored(
  database: Database,
  { policies, units }: Windows,
  { workspaceId, userId }: User,
): Promise<Decision> {
  const [row] = await database
    .sharedConnection(LANE)
    .read<{ decision: string }>("select take_from_rate_windows($1, $2, $3, $4, $5, '{}', true) as decision", [
      workspaceId,
      userId,
      ...windowValues(policies),
      units,
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

/** Puts the logs of users into the database. */
export async function storeLogs(database: Database, { policies, units }: Windows, logs: StoredLog[]): Promise<void> {
  const counted = logs.filter(({ ages }) => ages.length > 0);
  for (let i = 0; i < counted.length; i += USERS_AT_ONCE) {
    const some = counted.slice(i, i + USERS_AT_ONCE);
    await database.sharedConnection(LANE).read(
      `select count(take_from_rate_windows(workspace_id, user_id, $4, $5, $6, ages::bigint[], false))
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as log (workspace_id, user_id, ages)`,
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
      .sharedConnection(LANE)
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

function windowValues(policies: readonly Policy[]): [quotas: string, windows: string] {
  return [sqlArray(policies.map(({ quota }) => quota)), sqlArray(policies.map(({ windowS }) => windowS * 1_000_000))];
}

function sqlArray(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}

function numbersOf(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}
