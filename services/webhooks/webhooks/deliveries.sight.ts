import type { Query } from "../../../database/query.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../engine/feed/published.ts";
import { isSameSight, type SeenEvent, seenBy } from "../../../engine/feed/sight.ts";
import { TEST_EVENT } from "../../../model/resources/deliveries.ts";
import type { Row, Viewer } from "../../../model/resources/resource.ts";
import { wants } from "../subscriptions/matching.ts";
import { choosingOf, entriesFor, isOfEarlierOwner } from "./webhooks.takeover.ts";

/**
 * Gives the deliveries of a webhook that the caller sees: tests, and those of events that the caller sees. A delivery
 * that was made for another user tells what a filter has picked, so the entries must ask for its event by the caller's
 * view too. Answers of the receiver are shown to a caller who sees all of the event. When the event is no longer kept,
 * only the user for whom the delivery was made sees it. docs/guides/webhooks.md#who-sees-what
 */
export async function seenDeliveries(
  query: Query,
  { definitions, caller }: Viewer,
  webhook: Row,
  rows: Row[],
): Promise<Row[]> {
  const positions = rows.flatMap(({ eventPosition }) => (eventPosition === null ? [] : [eventPosition]));
  const events = await query<PublishedEvent>(
    `select ${PUBLISHED_READS} from events e where e.workspace_id = $1 and e.position = any($2::bigint[])`,
    [caller.workspaceId, positions],
  );
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const choosing = choosingOf(webhook);
  const isOwn = ({ madeAt }: Row) => webhook.createdBy === caller.userId && !isOfEarlierOwner(choosing, madeAt as Date);

  function seenByOthers(row: Row, event: PublishedEvent, seen: SeenEvent): Row | null {
    if (!wants(entriesFor(choosing, row.madeAt as Date), seen, definitions)) return null;
    return isSameSight(seen, { ...event, seenGroups: [] }) ? row : withoutAnswers(row);
  }
  function seenPart(row: Row): Row | null {
    if (row.type === TEST_EVENT) return row;
    const event = byPosition.get(Number(row.eventPosition));
    const seen = event && seenBy(event, { definitions, userId: caller.userId });
    if (isOwn(row)) return seen === null ? null : row;
    return event && seen ? seenByOthers(row, event, seen) : null;
  }
  return rows.map(seenPart).filter((row) => row !== null);
}

/** A delivery without the answers of its receiver, which may repeat the whole event. */
function withoutAnswers(row: Row): Row {
  return { ...row, attempts: (row.attempts as object[]).map((attempt) => ({ ...attempt, responseBody: "" })) };
}
