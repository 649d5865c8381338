import type { Caller } from "../../../base/contract/caller.ts";
import { unavailable } from "../../../base/contract/errors.ts";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";

/** The place of a stream among those of its user. */
export interface StreamPlace {
  workspaceId: Uuid;
  userId: Uuid;
  place: number;
  id: Uuid;
}

/** Time for which a place is kept without being renewed. */
const HELD_S = 30;

// Two gateways that see the same place as free both insert it, and the key lets one of them. So there are never more
// streams than places, and the gateway that has got none looks again.
const TAKE = `
with free as (
  select wanted.place from generate_series(1, $3::int) wanted (place) where not exists (
    select from event_streams s where s.workspace_id = $1 and s.user_id = $2 and s.place = wanted.place and s.until > now())
), taken as (
  insert into event_streams (workspace_id, user_id, place, id, until)
  select $1, $2, place, $4, now() + interval '${HELD_S} s' from free order by random() limit 1
  on conflict (workspace_id, user_id, place) do update set id = excluded.id, until = excluded.until
  where event_streams.until <= now()
  returning place
)
select (select count(*)::int from free) as free, (select place from taken) as place,
  (select through::float8 + 1 from log_settled(array[$1::uuid])) as "lastPosition"`;

/** Number of tries for a place while others take the free ones. Each time at least one of them has got one. */
const ATTEMPTS_MAX = 50;

/**
 * Takes one of the places of a user, and returns the position up to which the log was settled at that moment. Null if
 * all places are taken.
 * @throws ApiError 503 while no position is settled. docs/guides/citus.md#when-the-coordinator-crashes
 */
export async function takePlace(
  query: Query,
  { workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">,
  placesMax: number,
): Promise<{ place: StreamPlace; lastPosition: number } | null> {
  const id = newUuid();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const [row] = await query<{ free: number; place: number | null; lastPosition: number }>(TAKE, [
      workspaceId,
      userId,
      placesMax,
      id,
    ]);
    if (!row || row.free === 0) return null;
    if (row.place === null) continue;
    const place = { workspaceId, userId, place: row.place, id };
    if (row.lastPosition > 1) return { place, lastPosition: row.lastPosition };
    // Nothing of the log is settled until the coordinator of Citus is repaired.
    await giveBackPlaces(query, [place]);
    throw unavailable("Events cannot be read at the moment, because the database is recovering. Try again.");
  }
  return null;
}

// A place that was lost in a crash of the database is written again, unless another stream has got it since.
const RENEW = `
insert into event_streams (workspace_id, user_id, place, id, until)
select workspace_id, user_id, place, id, now() + interval '${HELD_S} s'
from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[]) held (workspace_id, user_id, place, id) order by 1, 2, 3
on conflict (workspace_id, user_id, place) do update set until = excluded.until where event_streams.id = excluded.id
returning id`;

/** Renews places, all with one statement. Gives the ids of the streams that still have theirs. */
export async function renewPlaces(query: Query, places: StreamPlace[]): Promise<Set<Uuid>> {
  const rows = await query<{ id: Uuid }>(RENEW, columnsOf(places));
  return new Set(rows.map(({ id }) => id));
}

const GIVE_BACK = `
delete from event_streams s using unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[]) held (workspace_id, user_id, place, id)
where s.workspace_id = held.workspace_id and s.user_id = held.user_id and s.place = held.place and s.id = held.id`;

/** Gives back the places of streams that have ended. */
export async function giveBackPlaces(query: Query, places: StreamPlace[]): Promise<void> {
  await query(GIVE_BACK, columnsOf(places));
}

function columnsOf(places: StreamPlace[]): unknown[] {
  return [
    printUuids(places.map(({ workspaceId }) => workspaceId)),
    printUuids(places.map(({ userId }) => userId)),
    places.map(({ place }) => place),
    printUuids(places.map(({ id }) => id)),
  ];
}
