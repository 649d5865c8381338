import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import type { Query } from "../../../database/query.ts";
import { createSealing, isPlain, keyIdOf } from "../../../engine/secrets/cipher.ts";
import type { Key } from "../../../engine/secrets/key.ts";
import {
  FIRST_WEBHOOK,
  replaceWebhookSecrets,
  type StoredSecret,
  type WebhookPlace,
  webhookSecrets,
} from "../../../engine/secrets/stored-webhooks.ts";

/**
 * Number of webhooks of which this has encrypted a signing secret with the first key, in small steps beside running
 * requests. A row that changes meanwhile is left as it is, because the change has encrypted it anew. So the rotation may
 * be repeated, and killed at any moment. Secrets of an unknown key are left too. docs/guides/running.md#encryption
 */
export async function rotate(query: Query, keys: readonly Key[]): Promise<number> {
  const [first, ...older] = keys.map(({ id }) => id);
  const sealing = createSealing(keys);
  const reseal = ({ sealed, purpose }: StoredSecret) => sealing.seal(sealing.open(sealed, purpose), purpose);
  const isOld = ({ sealed }: StoredSecret) =>
    isPlain(sealed) ? first !== undefined : older.includes(keyIdOf(sealed) ?? "");

  async function rotatePage(from: WebhookPlace): Promise<Step<WebhookPlace>> {
    const { webhooks, next } = await webhookSecrets(query, from);
    const old = webhooks.filter(({ secrets }) => secrets.some(isOld));
    const sealed = old.map(({ secrets }) => secrets.map((secret) => (isOld(secret) ? reseal(secret) : secret.sealed)));
    return { count: await replaceWebhookSecrets(query, old, sealed), next };
  }

  return workInSteps(FIRST_WEBHOOK, rotatePage);
}
