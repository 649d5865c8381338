import { REPLAYED_EVENTS_MAX } from "../../../config/limits.ts";
import { unprocessable } from "../../../lib/contract/errors.ts";
import { custom } from "../../../lib/contract/issues.ts";
import type { Query } from "../../../lib/database/query.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../lib/feed/published.ts";
import { madeAt, type Uuid } from "../../../lib/values/ids.ts";

const PAGE = 1_000;

/**
 * Events are in the order of their positions, by which they are read from the newest one backwards. One that was written in the
 * asked time has been passed on later, by clocks that differ by less than this.
 */
const CLOCKS_DIFFER_MS = 60_000;

const SQL = `select ${PUBLISHED_READS}, e.published_at as "publishedAt" from events e
where e.workspace_id = $1 and e.position < $2 order by e.workspace_id desc, e.position desc limit ${PAGE}`;

type Read = PublishedEvent & { publishedAt: Date };

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
    if (!last || page.length < PAGE || last.publishedAt.getTime() < since.getTime() - CLOCKS_DIFFER_MS) return;
    before = last.position;
  }
}

function tooMany(since: Date) {
  const most = REPLAYED_EVENTS_MAX.toLocaleString("en");
  const message = `There are more than ${most} events since ${since.toISOString()}. Choose a later time, and replay what was before by single deliveries`;
  return unprocessable([custom(["since"], message)]);
}
