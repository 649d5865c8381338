import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import type { Query } from "../../../database/query.ts";
import { createSealing, keyIdOf } from "../../../engine/secrets/cipher.ts";
import type { Key } from "../../../engine/secrets/key.ts";
import type { StoredSecret } from "../../../engine/secrets/stored.ts";
import {
  FIRST_RESPONSE,
  type ResponsePlace,
  replaceResponses,
  sealedResponses,
} from "../../../engine/secrets/stored-responses.ts";
import {
  FIRST_WEBHOOK,
  replaceWebhookSecrets,
  type WebhookPlace,
  webhookSecrets,
} from "../../../engine/secrets/stored-webhooks.ts";

/** Counts of secrets that were encrypted anew. */
export interface Rotated {
  /** Webhooks of which at least one signing secret was. */
  webhooks: number;
  responses: number;
}

/**
 * Encrypts everything that is stored with the first key, in small steps beside running requests. A row that changes
 * meanwhile is left as it is, because the change has encrypted it anew. So the rotation may be repeated, and killed at
 * any moment. Secrets of an unknown key are left too. docs/guides/running.md#encryption
 */
export async function rotate(query: Query, keys: readonly Key[]): Promise<Rotated> {
  const known = new Set(keys.map(({ id }) => id));
  const [first] = keys;
  const sealing = createSealing(keys);
  const reseal = ({ sealed, purpose }: StoredSecret) => sealing.seal(sealing.open(sealed, purpose), purpose);
  const isKnown = ({ sealed }: StoredSecret) => known.has(keyIdOf(sealed) ?? "");
  const isOld = (secret: StoredSecret) => isKnown(secret) && keyIdOf(secret.sealed) !== first?.id;

  async function rotateWebhooks(from: WebhookPlace): Promise<Step<WebhookPlace>> {
    const { webhooks, next } = await webhookSecrets(query, from);
    const old = webhooks.filter(({ secrets }) => secrets.some(isOld));
    const sealed = old.map(({ secrets }) => secrets.map((secret) => (isOld(secret) ? reseal(secret) : secret.sealed)));
    return { count: await replaceWebhookSecrets(query, old, sealed), next };
  }

  async function rotateResponses(from: ResponsePlace): Promise<Step<ResponsePlace>> {
    const { responses, next } = await sealedResponses(query, from);
    const old = responses.filter(({ secret }) => isOld(secret));
    const sealed = old.map(({ secret }) => reseal(secret));
    return { count: await replaceResponses(query, old, sealed), next };
  }

  return {
    webhooks: await workInSteps(FIRST_WEBHOOK, rotateWebhooks),
    responses: await workInSteps(FIRST_RESPONSE, rotateResponses),
  };
}
