import { notFound, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { toId, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";

/** The workspace of a webhook, and its owner. */
export interface Owned {
  workspaceId: Uuid;
  userId: Uuid;
}

/**
 * The workspace and the owner of a webhook, in any workspace or in the one that is named.
 * @throws ApiError 404 when there is no such webhook, and 422 when several workspaces have one of this id
 */
export async function ownerOf(query: Query, id: string, workspace?: string): Promise<Owned> {
  const uuid = uuidOf("webhook", id);
  const found =
    uuid === null
      ? []
      : await query<Owned & { slug: string }>(
          `select h.workspace_id as "workspaceId", h.created_by as "userId", w.slug
           from webhooks h join workspaces w on w.id = h.workspace_id
           where h.id = $1 and ($2::text is null or w.slug = $2) order by w.slug`,
          [uuid, workspace ?? null],
        );
  const [owned, other] = found;
  if (!owned) throw notFound("webhook", id);
  // Archives of earlier releases could bring ids that were here already.
  if (other) {
    const slugs = found.map(({ slug }) => slug).join(", ");
    throw unprocessable([
      custom(["workspace"], `Several workspaces have a webhook ${id}: ${slugs}. Choose one with --workspace`),
    ]);
  }
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
  /** Ids of the keys that created or changed the webhook, oldest first; absent when there are none. */
  keyIds?: string[];
}

interface Row extends Omit<ListedWebhook, "id" | "owner" | "stoppedAt" | "lastSuccessAt" | "keyIds"> {
  uuid: Uuid;
  ownerId: Uuid;
  stoppedAt: Date | null;
  lastSuccessAt: Date | null;
  keyIds: Uuid[];
}

const LIST = `
select w.id as uuid, w.name, w.target_url as "targetUrl", w.created_by as "ownerId", w.status,
  case when w.status = 'inactive' then w.stopped_because end as "stoppedBecause",
  case when w.status = 'inactive' then w.stopped_at end as "stoppedAt",
  case when w.status = 'active' then (
    select count(*)::int from deliveries t where t.workspace_id = w.workspace_id and t.webhook_id = w.id
      and t.status = 'pending' and t.created_at > coalesce(w.stopped_at, '-infinity')
  ) else 0 end as pending,
  q.last_success_at as "lastSuccessAt", w.key_ids as "keyIds"
from webhooks w left join webhook_queues q on q.workspace_id = w.workspace_id and q.webhook_id = w.id
where w.workspace_id = $1 and ($2::uuid is null or $2 = any(w.key_ids)) order by w.workspace_id, w.id`;

/** The webhooks of a workspace in the order of their creation: all, or those that were made or changed with a key. */
export async function listAll(
  query: Query,
  { workspaceId, users }: Definitions,
  keyId?: Uuid,
): Promise<ListedWebhook[]> {
  const rows = await query<Row>(LIST, [workspaceId, keyId ?? null]);
  return rows.map(({ uuid, ownerId, stoppedAt, lastSuccessAt, keyIds, ...same }) => {
    const owner = users.get(ownerId);
    return {
      id: toId("webhook", uuid),
      ...same,
      owner: owner ? { id: owner.id, email: owner.email } : null,
      stoppedAt: stoppedAt?.toISOString() ?? null,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
      ...(keyIds.length > 0 && { keyIds: keyIds.map((key) => toId("key", key)) }),
    };
  });
}
