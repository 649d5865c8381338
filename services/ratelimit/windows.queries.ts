import type { Database } from "../../database/database.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { User } from "./limiter.ts";
import type { StoredLog } from "./request-log-of-window.ts";

/** Number of users in one statement. It has to end within the 2 s that statements of a shared connection have. */
export const USERS_AT_ONCE = 500;

/** Channel on which a process asks the holder of a user to give the user up: the holder, a blank and the user. */
export const GIVE_UP_CHANNEL = "rate_windows";

const NOW_US = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

/** Statement that reads the clock of the database. */
export const CLOCK = `select ${NOW_US} as clock`;

/** The lock that the session of a holder has as long as it lives. */
const lockOf = (holder: string) => `hashtextextended(${holder}, 7205759404)`;

/** Statement by which a session becomes the holder $1, with the clock. `held` is false when another has this name. */
export const BECOME_HOLDER = `select pg_try_advisory_lock(${lockOf("$1")}) as held, ${NOW_US} as clock`;

/** The log of a user that the last stop has left. */
export type Left = StoredLog & { user: User };

/** A user whose row the holder writes. */
export type Written = StoredLog & {
  user: User;
  /** Number of requests that the holder may admit before it writes again. */
  ahead: number;
  /** Whether the holder gives the user up. */
  leaves: boolean;
};

/** A user whose row the holder wants to take. */
export interface Wanted {
  user: User;
  ahead: number;
  /** Whether another holder is to give the user up, since it cannot be asked over the bus. */
  insists: boolean;
}

/** Result of an exchange for a user. */
export type Exchanged = User &
  (
    | { what: "written" }
    | { what: "taken"; stamps: string; newestUnits: number }
    /** Its holder counts. Null: none, or the row was locked. */
    | { what: "elsewhere"; holder: string | null }
  );

/**
 * Writes rows of the holder $1 and takes others. A row that another transaction has locked is left as it is, so that no
 * user holds up others. A row is free when it has no holder, or when the session of its holder has ended. Those
 * requests that such a holder may have admitted without writing them are counted: as late as they can have been.
 */
const EXCHANGE = `
with given as (
  select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::bool[])
    as g (workspace_id, user_id, stamps, newest_units, ahead, leaves)
), wanted as (
  select * from unnest($8::uuid[], $9::uuid[], $10::int[], $11::bool[]) as w (workspace_id, user_id, ahead, insists)
), mine as (
  select workspace_id, user_id from rate_windows r join given using (workspace_id, user_id)
  where r.holder = $1 for update of r skip locked
), written as (
  update rate_windows r set stamps = g.stamps::bigint[], newest_units = g.newest_units, ahead = g.ahead,
    holder = case when not g.leaves then $1 end
  from given g join mine using (workspace_id, user_id)
  where r.workspace_id = g.workspace_id and r.user_id = g.user_id
  returning r.workspace_id, r.user_id
), free as (
  select workspace_id, user_id from rate_windows r join wanted using (workspace_id, user_id)
  where r.holder is null or r.holder = $1 or pg_try_advisory_xact_lock_shared(${lockOf("r.holder")})
  for update of r skip locked
), taken as (
  update rate_windows r set holder = $1, held_until = $12, ahead = w.ahead,
    newest_units = case when r.ahead > 0 then $13 else r.newest_units end,
    stamps = r.stamps || array_fill(
      greatest(r.stamps[cardinality(r.stamps)], least(${NOW_US}, r.held_until)), array[(r.ahead + $13 - 1) / $13])
  from wanted w join free using (workspace_id, user_id)
  where r.workspace_id = w.workspace_id and r.user_id = w.user_id
  returning r.workspace_id, r.user_id, r.stamps, r.newest_units
), made as (
  insert into rate_windows (workspace_id, user_id, stamps, newest_units, holder, ahead, held_until)
  select workspace_id, user_id, '{}', $13, $1, w.ahead, $12 from wanted w
  where not exists (select from rate_windows r where r.workspace_id = w.workspace_id and r.user_id = w.user_id)
  on conflict do nothing
  returning workspace_id, user_id, stamps, newest_units
), got as (
  select * from taken union all select * from made
)
select 'written' as what, workspace_id as "workspaceId", user_id as "userId", null as stamps, null as "newestUnits",
  null as holder, null as told from written
union all
select 'taken', workspace_id, user_id, stamps::text, newest_units, null, null from got
union all
select 'elsewhere', workspace_id, user_id, null, null, nullif(r.holder, $1),
  case when w.insists and r.holder <> $1
    then pg_notify('${GIVE_UP_CHANNEL}', r.holder || ' ' || workspace_id || ' ' || user_id)::text end
from wanted w left join rate_windows r using (workspace_id, user_id)
where not exists (select from got g where g.workspace_id = w.workspace_id and g.user_id = w.user_id)`;

/** Number of requests that a stamp stands for, and the time until which taken users are held. */
interface Terms {
  units: number;
  /** In microseconds since 1970 by the clock of the database. */
  heldUntil: number;
}

/** The statement of an exchange with its values. Its rows are `Exchanged`. */
export function exchange(holder: string, given: Written[], wanted: Wanted[], { units, heldUntil }: Terms) {
  return {
    sql: EXCHANGE,
    values: [
      holder,
      given.map(({ user }) => user.workspaceId),
      given.map(({ user }) => user.userId),
      given.map(({ stamps }) => `{${stamps.join(",")}}`),
      given.map(({ newestUnits }) => newestUnits),
      given.map(({ ahead }) => ahead),
      given.map(({ leaves }) => leaves),
      wanted.map(({ user }) => user.workspaceId),
      wanted.map(({ user }) => user.userId),
      wanted.map(({ ahead }) => ahead),
      wanted.map(({ insists }) => insists),
      heldUntil,
      units,
    ],
  };
}

/** Reads the clock of the database. */
export async function readClock(database: Pick<Database, "read">, clock: DatabaseClock): Promise<void> {
  const sentAt = performance.now();
  const [row] = await database.read<{ clock: number }>(CLOCK);
  clock.read(row?.clock ?? 0, sentAt, performance.now());
}

/** Puts the logs of users into the database, in the place of what is there. */
export async function storeLogs(database: Pick<Database, "read">, logs: Left[]): Promise<void> {
  const counted = logs.filter(({ stamps }) => stamps.length > 0);
  for (let i = 0; i < counted.length; i += USERS_AT_ONCE) {
    const some = counted.slice(i, i + USERS_AT_ONCE);
    await database.read(
      `insert into rate_windows (workspace_id, user_id, stamps, newest_units)
       select workspace_id, user_id, stamps::bigint[], newest_units
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[]) as l (workspace_id, user_id, stamps, newest_units)
       on conflict (workspace_id, user_id) do update
         set stamps = excluded.stamps, newest_units = excluded.newest_units, holder = null, ahead = 0`,
      [
        some.map(({ user }) => user.workspaceId),
        some.map(({ user }) => user.userId),
        some.map(({ stamps }) => `{${stamps.join(",")}}`),
        some.map(({ newestUnits }) => newestUnits),
      ],
    );
  }
}

/** Takes all logs out of the database. */
export async function takeAllStored(database: Pick<Database, "read">): Promise<Left[]> {
  const left: Left[] = [];
  for (;;) {
    const rows = await database.read<User & { stamps: string; newestUnits: number }>(
      `delete from rate_windows where ctid = any(array(select ctid from rate_windows limit ${USERS_AT_ONCE}))
       returning workspace_id as "workspaceId", user_id as "userId", newest_units as "newestUnits", stamps::text`,
    );
    for (const { workspaceId, userId, stamps, newestUnits } of rows)
      left.push({ user: { workspaceId, userId }, stamps: numbersOf(stamps), newestUnits });
    if (rows.length < USERS_AT_ONCE) return left;
  }
}

/** The numbers of an array of PostgreSQL. */
export function numbersOf(text: string): number[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
}
