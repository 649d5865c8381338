import type { Catalog } from "../../../lib/catalog/catalog.ts";
import { notFound } from "../../../lib/contract/errors.ts";
import type { Query } from "../../../lib/database/query.ts";
import { toId, type Uuid, uuidOf } from "../../../lib/values/ids.ts";

/** Where a webhook is, and whose it is. */
export interface Owned {
  workspaceId: Uuid;
  userId: Uuid;
}

/**
 * The workspace and the owner of a webhook, whatever workspace it is in.
 * @throws ApiError 404 when there is no such webhook
 */
export async function ownerOf(query: Query, id: string): Promise<Owned> {
  const uuid = uuidOf("webhook", id);
  const [owned] =
    uuid === null
      ? []
      : await query<Owned>('select workspace_id as "workspaceId", created_by as "userId" from webhooks where id = $1', [
          uuid,
        ]);
  if (!owned) throw notFound("webhook", id);
  return owned;
}

/** A webhook as the command line lists it. docs/guides/webhooks.md#on-the-command-line */
export interface ListedWebhook {
  id: string;
  name: string;
  targetUrl: string;
  /** Null for a user who is not known any more. */
  owner: { id: string; email: string } | null;
  status: "active" | "inactive";
  /** Why it is inactive, null while it is active. */
  stoppedBecause: "client" | "gone" | "failing" | null;
  stoppedAt: string | null;
  /** Deliveries that are still to be sent. */
  pending: number;
  lastSuccessAt: string | null;
}

interface Row extends Omit<ListedWebhook, "id" | "owner" | "stoppedAt" | "lastSuccessAt"> {
  uuid: Uuid;
  ownerId: Uuid;
  stoppedAt: Date | null;
  lastSuccessAt: Date | null;
}

const LIST = `
select w.id as uuid, w.name, w.target_url as "targetUrl", w.created_by as "ownerId", w.status,
  case when w.status = 'inactive' then w.stopped_because end as "stoppedBecause",
  case when w.status = 'inactive' then w.stopped_at end as "stoppedAt",
  case when w.status = 'active' then (
    select count(*)::int from deliveries t where t.workspace_id = w.workspace_id and t.webhook_id = w.id
      and t.status = 'pending' and t.created_at > coalesce(w.stopped_at, '-infinity')
  ) else 0 end as pending,
  q.last_success_at as "lastSuccessAt"
from webhooks w left join webhook_queues q on q.workspace_id = w.workspace_id and q.webhook_id = w.id
where w.workspace_id = $1 order by w.workspace_id, w.id`;

/** All webhooks of a workspace in the order of their creation. */
export async function listAll(query: Query, { workspaceId, users }: Catalog): Promise<ListedWebhook[]> {
  const rows = await query<Row>(LIST, [workspaceId]);
  return rows.map(({ uuid, ownerId, name, targetUrl, status, stoppedBecause, stoppedAt, pending, lastSuccessAt }) => {
    const owner = users.get(ownerId);
    return {
      id: toId("webhook", uuid),
      name,
      targetUrl,
      owner: owner ? { id: owner.id, email: owner.email } : null,
      status,
      stoppedBecause,
      stoppedAt: stoppedAt?.toISOString() ?? null,
      pending,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    };
  });
}
