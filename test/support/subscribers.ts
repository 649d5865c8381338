import { newUuid, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import type { SubscribedEvent } from "../../model/resources/subscribed-events.ts";
import { raiseVersion } from "../../services/webhooks/webhooks/webhooks.queries.ts";

interface Options {
  status?: "active" | "inactive";
  /** The newest entry of the workspace without it. */
  sinceSeq?: number;
}

/**
 * Writes webhooks of a user with these subscriptions into the tables, one for each, as if they had been made. Gives
 * their uuids.
 */
export async function subscribe(
  database: Pick<Database, "read">,
  [workspaceId, ownerId]: readonly [Uuid, Uuid],
  subscribedEvents: readonly SubscribedEvent[][],
  { status = "active", sinceSeq }: Options = {},
): Promise<Uuid[]> {
  const ids = subscribedEvents.map(() => newUuid());
  await database.read(
    `with made as (
       insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
       select $1, id, now(), $2, 'Hook', 'http://127.0.0.2/', subscribed::json, $5, '', 'whsec_',
         coalesce($6, (select max(seq) from change_log where workspace_id = $1), 0) from unnest($3::uuid[], $4::text[]) w (id, subscribed)
     )
     insert into webhook_queues (workspace_id, webhook_id) select $1, id from unnest($3::uuid[]) id`,
    [workspaceId, ownerId, ids, subscribedEvents.map((entries) => JSON.stringify(entries)), status, sinceSeq ?? null],
  );
  await raiseVersion(database.read, workspaceId);
  return ids;
}
