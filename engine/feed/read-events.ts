import { firstUuidOf, type Uuid } from "../../base/values/ids.ts";
import { EVENTS_KEPT_MS } from "../../config/limits.ts";
import type { Query } from "../../database/query.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import { EVENT_TYPE_NAMES, type EventType } from "../../model/events.ts";
import { logTypesOf } from "../../model/log.ts";
import { withTexts } from "./long-texts.ts";
import { ENTRY_READS, EVENT_BYTES, eventsOf, isBehind, type StoredEntry } from "./published.ts";
import { endOf, type Settled, settledOf } from "./settled.ts";
import { type SeenEvent, seenBy } from "./sight.ts";

/** Maximum number of rows read for one page, whether the caller sees them or not. */
export const SCANNED_MAX = 2000;
/**
 * Maximum number of bytes in the bodies of a page, whether the caller sees them or not. The first one comes however
 * long it is.
 */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Number of rows of each further read, when the first one has not filled a page because its reader sees little. */
const FURTHER_ROWS = 200;
/** Largest difference between the clocks of event writers and of the database. */
const CLOCKS_DIFFER_MS = 60_000;

export interface EventSource {
  query: Query;
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
}

export interface EventReader {
  workspaceId: Uuid;
  userId: Uuid;
}

/** Which events a page is to have. */
export interface Wanted {
  /** The position behind which it begins. */
  after: number;
  /** Undefined: all. */
  types?: readonly EventType[] | undefined;
  /** Only those that were made at this time, in milliseconds since 1970, or later. */
  since?: number | undefined;
  limit: number;
}

export interface EventPage {
  /** As the reader sees them, in the order of their positions. */
  events: SeenEvent[];
  /**
   * All events up to here were looked at: the position to go on from. It is lower than the one behind which the page
   * begins when the database has lost events since, by a backup that was restored.
   */
  through: number;
  /** Whether there are more behind. Those may be events that the reader does not see. */
  hasMore: boolean;
}

/**
 * A row of the page: the entry, and in each row the version of the definitions. Without any entry there is one row, of
 * this alone.
 */
interface PageRow extends Omit<StoredEntry, "seq"> {
  version: number;
  seq: number | null;
  /** Its number among the rows that were looked at, from 1. */
  place: number;
  /** Number of bytes of the bodies up to this one, with it. */
  bytes: number;
}

// The statement walks along the primary key. It ends when it has found enough entries of the wanted types, or when
// their bodies together are long enough. It also gives the last entry of the walk, of whatever type, because that tells
// how far the walk has come.
export const PAGE = `
select w.catalog_version as version, e.*
from workspaces w left join lateral (
  select ${ENTRY_READS}, e.place::int as place, (e.bytes_before + ${EVENT_BYTES})::float8 as bytes
  from (
    select *, row_number() over (order by seq) as place,
      coalesce(sum(${EVENT_BYTES}) filter (where type = any($5))
        over (order by seq rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from change_log where workspace_id = $1 and ${isBehind("$2::bigint")} and seq <= $8::bigint and id >= $3
    order by seq limit $4) e
  where e.bytes_before < $7 and (e.type = any($5) or e.place = $4)
  order by e.seq limit $6) e on true
where w.id = $1`;

/**
 * A page of the events of a workspace as a user sees them at this moment. Two statements, one more when it has long
 * texts, and a few more when much of what is found is not for this user. It looks at no more than SCANNED_MAX rows and
 * PAGE_BYTES_MAX bytes, so a page may have fewer events than asked for, or none, although there are more.
 */
export async function readEvents(source: EventSource, reader: EventReader, wanted: Wanted): Promise<EventPage> {
  const { types = EVENT_TYPE_NAMES, limit } = wanted;
  const settled = (await settledOf(source.query, [reader.workspaceId])).get(reader.workspaceId);
  if (!settled) throw new Error("The database did not tell how far its log is settled");
  const events: SeenEvent[] = [];
  let through = wanted.after;
  let [left, bytesLeft] = [SCANNED_MAX, PAGE_BYTES_MAX];
  while (left > 0 && bytesLeft > 0) {
    const most = left === SCANNED_MAX ? limit + 1 : FURTHER_ROWS;
    const asked = { ...wanted, after: through, types, settled };
    const rows = await readRows(source, reader, asked, { left, bytesLeft, most });
    const fitting = rows.found.filter(({ event }) => event);
    const beyond = fitting[limit - events.length];
    const taken = beyond ? rows.found.slice(0, rows.found.indexOf(beyond)) : rows.found;
    events.push(...taken.flatMap(({ event }) => event ?? []));
    through = taken.at(-1)?.position ?? through;
    if (beyond) return { events, through, hasMore: true };
    if (rows.isEnd) return { events, through: endOf(settled, through), hasMore: false };
    left -= rows.scanned;
    bytesLeft -= rows.bytes;
  }
  return { events, through, hasMore: true };
}

interface Rows {
  /** In the order of their positions. The event is null when it is not for this reader. */
  found: { position: number; event: SeenEvent | null }[];
  /** Number of rows that were read, when it is not the end. */
  scanned: number;
  /** Number of bytes of their bodies. */
  bytes: number;
  /** True if all events that are settled were read. */
  isEnd: boolean;
}

/**
 * Looks at the next rows, at the most `left`, until there are enough of the wanted types, or their bodies have
 * `bytesLeft` bytes.
 * @param most how many of these are enough
 */
async function readRows(
  { query, definitionsCache }: EventSource,
  { workspaceId, userId }: EventReader,
  { after, types, since = 0, settled }: Wanted & { types: readonly EventType[]; settled: Settled },
  { left, bytesLeft, most }: { left: number; bytesLeft: number; most: number },
): Promise<Rows> {
  const values = [workspaceId, after, firstUuidOf(since), left, logTypesOf(types), most, bytesLeft, settled.through];
  const rows = await query<PageRow>(PAGE, values);
  const definitions = await definitionsCache.atLeast(workspaceId, rows[0]?.version ?? 0);
  const entries = rows.filter((row): row is PageRow & StoredEntry => row.seq !== null);
  const whole = await withTexts(
    query,
    entries.sort((a, b) => a.seq - b.seq),
  );
  const found = whole
    .flatMap(eventsOf)
    .filter(({ position }) => position > after)
    .map((event) => ({
      position: event.position,
      event: types.includes(event.type) ? seenBy(event, { definitions, userId }) : null,
    }));
  const { place: scanned = 0, bytes = 0 } = entries.at(-1) ?? {};
  return { found, scanned, bytes, isEnd: entries.length < most && scanned < left && bytes < bytesLeft };
}

// Numbers ascend with the time of writing, so the place of a time is found by halving: each step looks up one row. The
// lowest uuid v7 of the time is $2, and the newest number $3.
const POSITION_AT = `
with recursive search (low, high) as (
  select 0::bigint, $3::bigint
  union all
  select coalesce(f.seq, s.low), case when f.seq is null then (s.low + s.high) / 2 else s.high end
  from search s left join lateral (
    select e.seq from (
      select seq, id from change_log where workspace_id = $1 and seq > (s.low + s.high) / 2 order by seq limit 1) e
    where e.id < $2) f on true
  where s.low < s.high
)
select low::float8 as position from search where low >= high limit 1`;

/**
 * The time of the oldest event that readers get, in milliseconds since 1970. History keeps the log for longer.
 * docs/guides/running.md#what-is-kept-how-long
 */
export function oldestTold(): number {
  return Date.now() - EVENTS_KEPT_MS;
}

/**
 * A position behind which all events of a workspace stand that were made at this time or later. Some that were made up
 * to a minute before it stand there too. Two statements.
 * @param time in milliseconds since 1970
 */
export async function positionAt(query: Query, workspaceId: Uuid, time: number): Promise<number> {
  // Another machine may have the log of the workspace, and the sequence is on this one.
  const [newest] = await query<{ seq: string }>("select last_value::text as seq from change_log_seq", []);
  const [row] = await query<{ position: number }>(POSITION_AT, [
    workspaceId,
    firstUuidOf(Math.max(0, time - CLOCKS_DIFFER_MS)),
    newest?.seq ?? "0",
  ]);
  return row?.position ?? 0;
}
