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

/**
 * Reads the next entries of the log of a workspace; bodies of other types stay in the database. A second statement,
 * which is sent behind the first, tells the versions: as they were when the entries were read, or later.
 */
export async function readLog(query: Query, { workspaceId, after, through, most, types }: Range): Promise<LogPage> {
  const [entries, [versions]] = await Promise.all([
    query<Row>(PAGE, [workspaceId, after, through, most, logTypesOf(types)]),
    query<Versions>(VERSIONS, [workspaceId]),
  ]);
  const [{ count } = { count: 0 }] = entries;
  const hasMore = count === most || entries.length < count;
  const events = entries.filter(({ body }) => body !== null).flatMap(eventsOf);
  const last = entries.at(-1);
  const end = last ? endOfEntry(last) : after;
  return {
    events: events.filter(({ position, type }) => position > after && types.includes(type)),
    through: hasMore ? end : Math.max(through, end),
    hasMore,
    webhooksVersion: versions?.webhooksVersion ?? 0,
    definitionsVersion: versions?.definitionsVersion ?? 0,
  };
}

interface Row extends StoredEntry {
  /** Number of entries that are there, up to `most`, however long they are. */
  count: number;
}

type Versions = Pick<LogPage, "webhooksVersion" | "definitionsVersion">;

const VERSIONS = `/* background */ select webhooks_version::float8 as "webhooksVersion", catalog_version as "definitionsVersion"
from workspaces where id = $1`;

const PAGE = `/* background */
with head as materialized (
  select c.*, coalesce(sum(octet_length(c.body::text)) over (order by c.seq rows between unbounded preceding and 1 preceding), 0) as bytes_before
  from (
    select workspace_id, seq, id, type, record_id, case when type = any($5::text[]) then body end as body
    from change_log where workspace_id = $1 and ${isBehind("$2::bigint")} and seq <= $3::bigint order by seq limit $4) c
)
select (select count(*)::int from head) as count, ${ENTRY_READS}
from head e where e.bytes_before < ${BODY_BYTES_AT_ONCE} order by e.seq`;
