import type { Uuid } from "../../base/values/ids.ts";
import { byWorkspace } from "../../database/by-workspace.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { withTexts } from "./long-texts.ts";
import { ENTRY_READS, EVENT_BYTES, eventsOf, isBehind, type PublishedEvent, type StoredEntry } from "./published.ts";
import { endOf, settledOf } from "./settled.ts";

/** The events that were read of a workspace. */
export interface EventBatch {
  /** In the order of their positions. */
  events: PublishedEvent[];
  /**
   * All events up to here were looked at. It is lower than where the look began when the database has lost events
   * since.
   */
  through: number;
  /** The version of the workspace's definitions when it was read. */
  version: number;
  /** Whether there may be more behind. */
  isFull: boolean;
}

/** Maximum number of entries that are read in one go, of all workspaces together, when they are fewer than that. */
export const BATCH_MAX = 500;
/** Maximum number of bytes of their bodies. The first of each workspace comes however long it is. */
const BATCH_BYTES_MAX = 2 * 1024 * 1024;

/** Which of these workspaces have entries at a number or behind it. */
export const NEWS = `/* background */
select distinct workspace_id as "workspaceId" from change_log where workspace_id = any($1::uuid[]) and seq >= $2`;

export const BATCH = `/* background */
select e.*, (select catalog_version from workspaces where id = $1) as version
from (
  select ${ENTRY_READS}, count(*) over ()::int as total,
    coalesce(sum(${EVENT_BYTES}) over (order by seq rows between unbounded preceding and 1 preceding), 0) as bytes_before
  from (
    select * from change_log
    where workspace_id = $1 and ${isBehind("$2::bigint")} and seq <= $3::bigint order by seq limit $4) e
) e
where e.bytes_before < $5::bigint order by e.seq`;

/**
 * The next events of workspaces behind their positions, by workspace. Two statements, and one more for each workspace
 * that has news, and for each of their workspaces with long texts; what is left waits for the next read.
 * @param after workspace → position up to which its events were read
 */
export async function readAllEvents(query: Query, after: ReadonlyMap<Uuid, number>): Promise<Map<Uuid, EventBatch>> {
  const settled = await settledOf(query, after.keys());
  const most = Math.max(1, Math.ceil(BATCH_MAX / after.size));
  const batches = new Map(
    [...after].map(([workspaceId, from]): [Uuid, EventBatch] => {
      const through = endOf(settled.get(workspaceId) ?? NOTHING, from);
      return [workspaceId, { events: [], through, version: 0, isFull: false }];
    }),
  );
  const found = await byWorkspace(await withNews(query, after), (workspaceId) =>
    query<Found>(BATCH, [
      workspaceId,
      after.get(workspaceId) ?? 0,
      settled.get(workspaceId)?.through ?? 0,
      most,
      Math.ceil(BATCH_BYTES_MAX / after.size),
    ]),
  );
  const entries = Map.groupBy(await withTexts(query, found), ({ workspaceId }) => workspaceId);
  for (const [workspaceId, ofOne] of entries) {
    const from = after.get(workspaceId) ?? 0;
    const [first, last] = [ofOne[0] as Found, ofOne.at(-1) as Found];
    const isFull = ofOne.length < first.total || ofOne.length === most;
    const events = ofOne.flatMap(eventsOf).filter(({ position }) => position > from);
    const through = isFull ? last.seq + 1 : (batches.get(workspaceId)?.through ?? from);
    batches.set(workspaceId, { events, through, version: first.version, isFull });
  }
  return batches;
}

interface Found extends StoredEntry {
  version: number;
  /** Number of entries that are there, up to the most that are read, however long they are. */
  total: number;
}

/** The workspaces that have entries behind their positions, or at them. A single one is not asked for that. */
async function withNews(query: Query, after: ReadonlyMap<Uuid, number>): Promise<{ workspaceId: Uuid }[]> {
  const all = [...after.keys()];
  if (all.length === 1) return all.map((workspaceId) => ({ workspaceId }));
  return query<{ workspaceId: Uuid }>(NEWS, [printUuids(all), Math.min(...after.values())]);
}

const NOTHING = { through: 0, last: 0 };
