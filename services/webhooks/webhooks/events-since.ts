import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { madeAt, type Uuid } from "../../../base/values/ids.ts";
import { REPLAYED_EVENTS_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../engine/feed/published.ts";

const PAGE = 1_000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Events are in the order of their positions, by which they are read from the newest one backwards. One that was written in the
 * asked time has been passed on later, by clocks that differ by less than this.
 */
const CLOCKS_DIFFER_MS = 60_000;

const NEWEST_FIRST = "order by workspace_id desc, position desc";

/** A page ends with the event with which its bodies have PAGE_BYTES: some tell the values of large records. */
const SQL = `select ${PUBLISHED_READS}, e.published_at as "publishedAt", e.bytes::float8 as bytes from (
  select *, octet_length(body::text) as own_bytes,
    sum(octet_length(body::text)) over (${NEWEST_FIRST} rows unbounded preceding) as bytes
  from events where workspace_id = $1 and position < $2 ${NEWEST_FIRST} limit ${PAGE}) e
where e.bytes - e.own_bytes < ${PAGE_BYTES} order by e.workspace_id desc, e.position desc`;

type Read = PublishedEvent & { publishedAt: Date; bytes: number };

/**
 * Goes through the events of a workspace since a time, the newest first, page by page.
 * @throws ApiError 422 when they are too many
 */
export async function* eventsSince(query: Query, workspaceId: Uuid, since: Date): AsyncGenerator<PublishedEvent[]> {
  let before = Number.MAX_SAFE_INTEGER;
  let count = 0;
  for (;;) {
    const page = await query<Read>(SQL, [workspaceId, before]);
    const events = page.filter(({ id }) => madeAt(id) >= since);
    count += events.length;
    if (count > REPLAYED_EVENTS_MAX) throw tooMany(since);
    yield events;
    const last = page.at(-1);
    const isEnd = page.length < PAGE && (last?.bytes ?? 0) < PAGE_BYTES;
    if (!last || isEnd || last.publishedAt.getTime() < since.getTime() - CLOCKS_DIFFER_MS) return;
    before = last.position;
  }
}

function tooMany(since: Date) {
  const most = REPLAYED_EVENTS_MAX.toLocaleString("en");
  const message = `There are more than ${most} events since ${since.toISOString()}. Choose a later time, and replay what was before by single deliveries`;
  return unprocessable([custom(["since"], message)]);
}
