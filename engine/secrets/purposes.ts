import type { Uuid } from "../../base/values/ids.ts";

/** Purpose for which the signing secrets of a webhook are sealed, the replaced ones too. */
export function webhookPurpose(webhookId: Uuid): string {
  return `webhook ${webhookId}`;
}

/** Purpose for which the saved response of an Idempotency-Key is sealed. */
export function responsePurpose(of: { workspaceId: string; userId: string; key: string }): string {
  return `response ${of.workspaceId} ${of.userId} ${of.key}`;
}
