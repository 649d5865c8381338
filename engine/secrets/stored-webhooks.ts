import { NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { webhookPurpose } from "./purposes.ts";

const PAGE = 200;

/** A signing secret as it is stored. */
export interface StoredSecret {
  purpose: string;
  /** Encrypted, or the text itself. */
  sealed: Buffer;
}

/** A place in the order of the primary key. */
export type WebhookPlace = [workspaceId: string, webhookId: string];

interface Replaced {
  /** In base64. */
  secret: string;
  until: string;
}

/** The signing secrets of a webhook, the present one first. */
export interface StoredWebhook {
  place: WebhookPlace;
  secrets: StoredSecret[];
  /** The entries of the replaced ones, as they are stored. */
  replaced: Replaced[];
  /** SQL for the text of the column. */
  column: string;
}

export const FIRST_WEBHOOK: WebhookPlace = [NIL_UUID, NIL_UUID];

interface Row {
  workspaceId: Uuid;
  id: Uuid;
  secret: Buffer;
  replaced: string;
}

/** The secrets of the next webhooks after a position, and the position of the next page; null if there are none. */
export async function webhookSecrets(
  query: Query,
  from: WebhookPlace,
): Promise<{ webhooks: StoredWebhook[]; next: WebhookPlace | null }> {
  const rows = await query<Row>(
    `select workspace_id as "workspaceId", id, secret, replaced_secrets::text as replaced from webhooks
     where (workspace_id, id) > ($1, $2) order by workspace_id, id limit ${PAGE}`,
    from,
  );
  const last = rows.at(-1);
  return {
    webhooks: rows.map(webhookOf),
    next: last && rows.length === PAGE ? [last.workspaceId, last.id] : null,
  };
}

/** The signing secrets of all webhooks, in pages. */
export async function* storedSecrets(query: Query): AsyncGenerator<StoredSecret[]> {
  for (let from: WebhookPlace | null = FIRST_WEBHOOK; from !== null; ) {
    const page: Awaited<ReturnType<typeof webhookSecrets>> = await webhookSecrets(query, from);
    yield page.webhooks.flatMap(({ secrets }) => secrets);
    from = page.next;
  }
}

function webhookOf({ workspaceId, id, secret, replaced: column }: Row): StoredWebhook {
  const replaced: Replaced[] = JSON.parse(column);
  const sealed = [secret, ...replaced.map((entry) => Buffer.from(entry.secret, "base64"))];
  const purpose = webhookPurpose(id);
  return {
    place: [workspaceId, id],
    secrets: sealed.map((bytes) => ({ purpose, sealed: bytes })),
    replaced,
    column,
  };
}

/**
 * Stores others in their place, unless they have changed meanwhile. Gives of how many webhooks they were stored.
 * @param sealed those that are to be stored of each webhook, in the order of its secrets
 */
export async function replaceWebhookSecrets(
  query: Query,
  webhooks: readonly StoredWebhook[],
  sealed: readonly Buffer[][],
): Promise<number> {
  if (webhooks.length === 0) return 0;
  const replaced = webhooks.map((webhook, i) =>
    JSON.stringify(webhook.replaced.map((entry, j) => ({ ...entry, secret: sealed[i]?.[j + 1]?.toString("base64") }))),
  );
  const stored = await query<{ id: string }>(
    `update webhooks w set secret = n.secret, replaced_secrets = n.replaced::json
     from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[], $5::bytea[], $6::text[])
       n (workspace_id, id, secret_before, replaced_before, secret, replaced)
     where w.workspace_id = n.workspace_id and w.id = n.id and w.secret = n.secret_before and w.replaced_secrets::text = n.replaced_before
     returning w.id`,
    [
      ...[0, 1].map((column) => webhooks.map(({ place }) => place[column])),
      webhooks.map(({ secrets }) => secrets[0]?.sealed),
      webhooks.map(({ column }) => column),
      sealed.map(([secret]) => secret),
      replaced,
    ],
  );
  return stored.length;
}
