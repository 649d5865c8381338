import type { Query } from "../../../database/query.ts";
import {
  ENTRY_READS,
  eventsOf,
  type PublishedEvent,
  type StoredEntry,
  seqsOf,
} from "../../../engine/feed/published.ts";
import { isSameSight, type SeenEvent, seenBy } from "../../../engine/feed/sight.ts";
import { TEST_EVENT } from "../../../model/resources/deliveries.ts";
import type { Row, Viewer } from "../../../model/resources/resource.ts";
import { wants } from "../subscriptions/matching.ts";
import { choosingOf, entriesFor, isOfEarlierOwner } from "./webhooks.takeover.ts";

/**
 * Returns the deliveries of a webhook that the caller can see: tests, and deliveries of events that the caller can see.
 * A delivery for another user shows what a filter has selected, so the entries must also ask for its event by the
 * caller's view. Only a caller who can see the whole event gets the answers of the receiver. If the event is no longer
 * kept, only the user that the delivery was made for can see it. docs/guides/webhooks.md#who-sees-what
 */
export async function seenDeliveries(
  query: Query,
  { definitions, caller }: Viewer,
  webhook: Row,
  rows: Row[],
): Promise<Row[]> {
  const seqs = rows.flatMap(({ eventPosition }) => (eventPosition === null ? [] : seqsOf(Number(eventPosition))));
  const entries = await query<StoredEntry>(
    `select ${ENTRY_READS} from change_log e where e.workspace_id = $1 and e.seq = any($2::bigint[])`,
    [caller.workspaceId, seqs],
  );
  const byPosition = new Map(entries.flatMap(eventsOf).map((event) => [event.position, event]));
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
