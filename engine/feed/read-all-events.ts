import type { Uuid } from "../../base/values/ids.ts";
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
/** Maximum number of bytes of their bodies. The first of each workspace comes before the second of any. */
const BATCH_BYTES_MAX = 2 * 1024 * 1024;

export const BATCH = `/* background */
select e.*, w.catalog_version as version
from (
  select *, count(*) over ()::int as total,
    coalesce(sum(bytes) over (order by place, n rows between unbounded preceding and 1 preceding), 0) as bytes_before
  from (
    select a.n, e.place, ${EVENT_BYTES} as bytes, ${ENTRY_READS}
    from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality a (id, after, through, n) cross join lateral (
      select *, row_number() over (order by seq) as place from change_log
      where workspace_id = a.id and ${isBehind("a.after")} and seq <= a.through order by seq limit $4) e) e
) e join workspaces w on w.id = e."workspaceId"
where e.bytes_before < ${BATCH_BYTES_MAX} order by e.n, e.place`;

/**
 * The next events of workspaces behind their positions, by workspace. Two statements, however many workspaces there
 * are, and one more when there are long texts; what is left waits for the next read.
 * @param after workspace → position up to which its events were read
 */
export async function readAllEvents(query: Query, after: ReadonlyMap<Uuid, number>): Promise<Map<Uuid, EventBatch>> {
  const settled = await settledOf(query, after.keys());
  const most = Math.max(1, Math.ceil(BATCH_MAX / after.size));
  const found = await query<StoredEntry & { version: number; total: number }>(BATCH, [
    printUuids([...after.keys()]),
    [...after.values()],
    [...after.keys()].map((workspaceId) => settled.get(workspaceId)?.through ?? 0),
    most,
  ]);
  // When the bodies were too long, any workspace may have lost some of its entries.
  const isCut = found.length < (found[0]?.total ?? 0);
  const byWorkspace = Map.groupBy(await withTexts(query, found), ({ workspaceId }) => workspaceId);
  return new Map(
    [...after].map(([workspaceId, from]): [Uuid, EventBatch] => {
      const entries = byWorkspace.get(workspaceId) ?? [];
      const isFull = isCut || entries.length === most;
      const read = entries.at(-1);
      const through = isFull ? (read ? read.seq + 1 : from) : endOf(settled.get(workspaceId) ?? NOTHING, from);
      const events = entries.flatMap(eventsOf).filter(({ position }) => position > from);
      return [workspaceId, { events, through, version: entries[0]?.version ?? 0, isFull }];
    }),
  );
}

const NOTHING = { through: 0, last: 0 };
