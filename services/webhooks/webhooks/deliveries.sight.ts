import type { Query } from "../../../lib/database/query.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../lib/feed/published.ts";
import { seenBy } from "../../../lib/feed/sight.ts";
import type { Row, Viewing } from "../../../lib/resources/resource.ts";
import { TEST_EVENT } from "./deliveries.resource.ts";

/**
 * Those of the deliveries of a webhook that the caller sees: tests, and those of events that the caller sees. A delivery names the
 * record of its event, and may have been made for an earlier owner, or be listed by an admin. When the event is no longer kept, the owner
 * alone sees it. docs/guides/webhooks.md#who-sees-what
 */
export async function seenDeliveries(
  query: Query,
  { catalog, caller }: Viewing,
  webhook: Row,
  rows: Row[],
): Promise<Row[]> {
  const positions = rows.flatMap(({ eventPosition }) => (eventPosition === null ? [] : [eventPosition]));
  const events = await query<PublishedEvent>(
    `select ${PUBLISHED_READS} from events e where e.workspace_id = $1 and e.position = any($2::bigint[])`,
    [caller.workspaceId, positions],
  );
  const sees = new Map(
    events.map((event) => [event.position, seenBy(event, { catalog, userId: caller.userId }) !== null]),
  );
  const isOwner = webhook.createdBy === caller.userId;
  return rows.filter(({ type, eventPosition }) => type === TEST_EVENT || (sees.get(Number(eventPosition)) ?? isOwner));
}
