import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import {
  ENTRY_READS,
  endOfEntry,
  eventsOf,
  isBehind,
  type PublishedEvent,
  type StoredEntry,
} from "../../../engine/feed/published.ts";
import type { EventType } from "../../../model/events.ts";
import { logTypesOf } from "../../../model/log.ts";

/** Maximum number of entries of which one transaction makes deliveries. */
export const ENTRIES_AT_ONCE = 500;
/** And how many bytes their bodies have together. An entry that has more by itself is read alone. */
const BODY_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** The next events of a workspace, with its state at the moment at which they were read. */
export interface LogPage {
  /** Those of the wanted types, in the order of their positions. */
  events: PublishedEvent[];
  /** The position up to which all events were looked at. */
  through: number;
  hasMore: boolean;
  webhooksVersion: number;
  definitionsVersion: number;
}

/** A part of the log of a workspace. */
interface Range {
  workspaceId: Uuid;
  /** The position behind which it begins. */
  after: number;
  /** The last number that is read. */
  through: number;
  /** Number of entries. */
  most: number;
  types: readonly EventType[];
}

/** Reads the next entries of the log of a workspace. One statement; bodies of other types stay in the database. */
export async function readLog(query: Query, { workspaceId, after, through, most, types }: Range): Promise<LogPage> {
  const rows = await query<Row>(PAGE, [workspaceId, after, through, most, logTypesOf(types)]);
  const [{ count, webhooksVersion = 0, definitionsVersion = 0 } = { count: 0 }] = rows;
  const entries = rows.filter((row): row is Row & StoredEntry => row.seq !== null);
  const hasMore = count === most || entries.length < count;
  const events = entries.filter(({ body }) => body !== null).flatMap(eventsOf);
  const last = entries.at(-1);
  const end = last ? endOfEntry(last) : after;
  return {
    events: events.filter(({ position, type }) => position > after && types.includes(type)),
    through: hasMore ? end : Math.max(through, end),
    hasMore,
    webhooksVersion,
    definitionsVersion,
  };
}

interface Row extends Omit<StoredEntry, "seq"> {
  seq: number | null;
  /** Number of entries that are there, up to `most`, however long they are. */
  count: number;
  webhooksVersion: number;
  definitionsVersion: number;
}

/** Without entries there is one row, which tells the versions. */
const PAGE = `/* background */
with head as materialized (
  select c.*, coalesce(sum(octet_length(c.body::text)) over (order by c.seq rows between unbounded preceding and 1 preceding), 0) as bytes_before
  from (
    select workspace_id, seq, id, type, record_id, case when type = any($5::text[]) then body end as body
    from change_log where workspace_id = $1 and ${isBehind("$2::bigint")} and seq <= $3::bigint order by seq limit $4) c
)
select (select count(*)::int from head) as count, w.webhooks_version::float8 as "webhooksVersion",
  w.catalog_version as "definitionsVersion", e.*
from workspaces w left join lateral (
  select ${ENTRY_READS} from head e where e.bytes_before < ${BODY_BYTES_AT_ONCE} order by e.seq) e on true
where w.id = $1`;
