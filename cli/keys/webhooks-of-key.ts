import type { Admin } from "../../tools/terminal/admin.ts";
import { ask } from "../../tools/terminal/ask.ts";

/** A webhook that was made or changed with a key. */
export interface WebhookOfKey {
  id: string;
  name: string;
  targetUrl: string;
  status: string;
}

/**
 * The webhooks that were made or changed with a revoked key. They go on without it, so the command names them, and
 * makes them inactive on request. docs/guides/webhooks.md#when-a-key-has-leaked
 */
export async function webhooksOfKey(
  admin: Admin,
  { id: keyId, workspace }: { id: string; workspace: string },
  isPausing: boolean,
): Promise<WebhookOfKey[]> {
  const { id: workspaceId } = await admin.call<{ id: string }>("workspaces.get", { workspace });
  const listed = await admin.call<{ webhooks: WebhookOfKey[] }>("webhooks-admin.list", { workspaceId, keyId });
  const active = listed.webhooks.filter(({ status }) => status === "active");
  if (active.length > 0)
    admin.note(`Made or changed with the key, and still active: ${active.map(inWords).join("; ")}.`);
  if (active.length > 0 && (isPausing || (await isWanted(admin))))
    for (const { id: webhookId } of active) await admin.call("webhooks-admin.pause", { webhookId, workspace });
  const paused = await admin.call<{ webhooks: WebhookOfKey[] }>("webhooks-admin.list", { workspaceId, keyId });
  return paused.webhooks.map(({ id, name, targetUrl, status }) => ({ id, name, targetUrl, status }));
}

async function isWanted(admin: Admin): Promise<boolean> {
  if (admin.interactive) return /^\s*(y|yes)\s*$/i.test(await ask(admin, "Make them inactive? [y/N] "));
  admin.note("--pause-webhooks makes them inactive.");
  return false;
}

function inWords({ id, name, targetUrl }: WebhookOfKey): string {
  return `${id}${name === "" ? "" : ` (${name})`}, which sends to ${targetUrl}`;
}
