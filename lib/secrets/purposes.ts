import type { Uuid } from "../values/ids.ts";

/** What the signing secrets of a webhook are sealed for, the replaced ones too. */
export function webhookPurpose(webhookId: Uuid): string {
  return `webhook ${webhookId}`;
}
