import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { PUBLISHED_READS, type PublishedEvent } from "./published.ts";

/** An event of any workspace, with the version of the definitions that its workspace had when it was read. */
export interface VersionedEvent extends PublishedEvent {
  version: number;
}

export interface EventBatch {
  /** In the order of their positions. */
  events: VersionedEvent[];
  /**
   * All events up to here were looked at. It is lower than where the look began when the database has lost events
   * since.
   */
  through: number;
  /** Whether there may be more behind. */
  isFull: boolean;
}

/** Maximum number of events read in one go. */
export const BATCH_MAX = 500;
/** Maximum number of bytes of their bodies. The first one comes however long it is. */
const BATCH_BYTES_MAX = 2 * 1024 * 1024;

// The last one that is looked at comes also when nobody asks for its workspace: it tells how far the look has come.
// When the bytes are enough sooner, it is the one with which they are, which somebody has asked for. The length of a
// body is known without reading it.
export const BATCH = `/* background */
select l.last_position::float8 as last, e.*
from event_log l left join lateral (
  select ${PUBLISHED_READS}, w.catalog_version as version,
    e.place = ${BATCH_MAX} or e.bytes_before + octet_length(e.body::text) >= ${BATCH_BYTES_MAX} as "isLast"
  from (
    select *, row_number() over (order by position) as place,
      coalesce(sum(octet_length(body::text)) filter (where workspace_id = any($2::uuid[]))
        over (order by position rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from events where position > $1 order by position limit ${BATCH_MAX}) e
  left join workspaces w on w.id = e.workspace_id
  where e.bytes_before < ${BATCH_BYTES_MAX} and (e.workspace_id = any($2::uuid[]) or e.place = ${BATCH_MAX})) e on true`;

interface Row extends Omit<VersionedEvent, "position" | "version"> {
  last: number;
  /** Null when the workspace is gone. */
  version: number | null;
  position: number | null;
  /** Whether the look ends with it although there may be more. */
  isLast: boolean | null;
}

/**
 * The events of these workspaces behind a position, from the next events of all workspaces: BATCH_MAX, or fewer when
 * their bodies are long. One statement.
 */
export async function readAllEvents(query: Query, after: number, workspaces: Iterable<Uuid>): Promise<EventBatch> {
  const wanted = new Set(workspaces);
  const rows = await query<Row>(BATCH, [after, [...wanted]]);
  const end = rows.find(({ isLast }) => isLast);
  const events = rows.filter(
    (row): row is Row & VersionedEvent => row.position !== null && row.version !== null && wanted.has(row.workspaceId),
  );
  return {
    events: events.sort((a, b) => a.position - b.position),
    through: end?.position ?? rows[0]?.last ?? after,
    isFull: end !== undefined,
  };
}
