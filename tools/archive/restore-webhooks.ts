import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { webhookPurpose } from "../../engine/secrets/purposes.ts";
import type { Sealing } from "../../engine/secrets/sealing.ts";
import { newSigningSecret, redactedSecret } from "../../engine/secrets/signing-secret.ts";

/**
 * Gives webhooks of an archive what it does not hold: new secrets, because old ones are of no use elsewhere. They are
 * inactive, so that no receiver hears of an event twice.
 */
export async function withSecrets(
  query: Query,
  sealing: Sealing,
  rows: Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const [now] = await query<{ at: Date; seq: string }>(
    `select clock_timestamp() as at, coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox', 'seq')::regclass), 0)::text as seq`,
    [],
  );
  return rows.map((row) => {
    const secret = newSigningSecret();
    return {
      ...row,
      secret: `\\x${sealing.seal(secret, webhookPurpose(row.id as Uuid)).toString("hex")}`,
      redacted_secret: redactedSecret(secret),
      replaced_secrets: [],
      since_seq: now?.seq ?? "0",
      status: "inactive",
      stopped_at: now?.at,
      stopped_because: "client",
    };
  });
}

/** Makes the queues of the webhooks of a workspace, and has processes look for them. */
export async function makeQueues(query: Query, workspaceId: Uuid): Promise<void> {
  await query(
    "insert into webhook_queues (workspace_id, webhook_id) select workspace_id, id from webhooks where workspace_id = $1",
    [workspaceId],
  );
  await query(
    "update workspaces set webhooks_version = 1 where id = $1 and exists (select from webhooks where workspace_id = $1)",
    [workspaceId],
  );
}
