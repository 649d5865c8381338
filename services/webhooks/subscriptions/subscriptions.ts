import { LRUCache } from "lru-cache";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { indexSubscriptions, type Subscriber, type SubscriptionIndex } from "./subscription-index.ts";

/** The active webhooks of workspaces, as a process keeps them. */
export interface Subscriptions {
  /** Those of a workspace in this version or a later one. They are read with the query unless the process has them. */
  atLeast(query: Query, workspaceId: Uuid, version: number): Promise<SubscriptionIndex>;
}

interface Kept {
  version: number;
  index: SubscriptionIndex;
}

/**
 * Maximum number of entries of `subscribedEvents` that a process keeps, of all workspaces together: some 40 MB of
 * memory.
 */
const ENTRIES_KEPT_MAX = 50_000;

/** Makes a keeper of subscriptions. The workspace that had no event for longest goes first. */
export function createSubscriptions(entriesMax = ENTRIES_KEPT_MAX): Subscriptions {
  const kept = new LRUCache<Uuid, Kept>({
    maxSize: entriesMax,
    // A workspace with more than all that fits is kept alone. One without webhooks takes its place too.
    sizeCalculation: ({ index }) => Math.min(1 + index.size, entriesMax),
  });
  return {
    async atLeast(query, workspaceId, version) {
      const known = kept.get(workspaceId);
      if (known && known.version >= version) return known.index;
      const read = await readSubscriptions(query, workspaceId);
      kept.set(workspaceId, read);
      return read.index;
    },
  };
}

interface Row {
  version: number;
  webhookId: Uuid | null;
  ownerId: Uuid;
  sinceSeq: number;
  subscribedEvents: SubscribedEvent[];
}

/** Reads the active webhooks of a workspace with one statement, and its version as of the same moment. */
async function readSubscriptions(query: Query, workspaceId: Uuid): Promise<Kept> {
  const rows = await query<Row>(
    `select w.webhooks_version::float8 as version, h.id as "webhookId", h.created_by as "ownerId", h.since_seq::float8 as "sinceSeq",
       h.subscribed_events as "subscribedEvents"
     from workspaces w left join webhooks h on h.workspace_id = w.id and h.status = 'active'
     where w.id = $1`,
    [workspaceId],
  );
  const subscribers = rows.flatMap(({ webhookId, ownerId, sinceSeq, subscribedEvents }): Subscriber[] =>
    webhookId === null ? [] : [{ webhookId, ownerId, sinceSeq, subscribedEvents }],
  );
  return { version: rows[0]?.version ?? 0, index: indexSubscriptions(subscribers) };
}
