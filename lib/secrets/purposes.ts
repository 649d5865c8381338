import type { Uuid } from "../values/ids.ts";

/** What the signing secrets of a webhook are sealed for, the replaced ones too. */
export function webhookPurpose(webhookId: Uuid): string {
  return `webhook ${webhookId}`;
}

/** What the saved response of an Idempotency-Key is sealed for. */
export function responsePurpose(of: { workspaceId: string; userId: string; key: string }): string {
  return `response ${of.workspaceId} ${of.userId} ${of.key}`;
}
