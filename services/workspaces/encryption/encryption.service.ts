import type { ServiceSchema } from "moleculer";
import { closed } from "../../../base/contract/schema.ts";
import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import type { Query } from "../../../database/query.ts";
import { createSealing, isPlain, keyIdOf } from "../../../engine/secrets/cipher.ts";
import type { Key, KeyPlace } from "../../../engine/secrets/key.ts";
import { keysOf } from "../../../engine/secrets/sealing.ts";
import {
  FIRST_WEBHOOK,
  replaceWebhookSecrets,
  type StoredSecret,
  storedSecrets,
  type WebhookPlace,
  webhookSecrets,
} from "../../../engine/secrets/stored-webhooks.ts";
import type { ServiceContext } from "../../../mixins/context.ts";

/** A key, and the number of signing secrets that are stored under it. */
interface UsedKey {
  id: string;
  /** Null for a key that is not known. */
  place: KeyPlace | null;
  encrypts: boolean;
  secrets: number;
}

/** The keys in their order, and behind them those that are not known and have encrypted something. */
interface Status {
  keys: UsedKey[];
  /** Number of signing secrets that are stored as they are. */
  plain: number;
}

/**
 * The keys by which secrets are encrypted. Only the command line calls these actions.
 * docs/guides/database.md#encryption
 */
export default function encryptionService({ database }: ServiceContext): ServiceSchema {
  async function status(): Promise<Status> {
    const used = (await keysOf(database, { makes: false })).map(
      ({ id, place }: Key, i): UsedKey => ({ id, place, encrypts: i === 0, secrets: 0 }),
    );
    let plain = 0;
    const byId = new Map(used.map((key) => [key.id, key]));
    for await (const page of storedSecrets(database.queryPlanned))
      for (const { sealed } of page) {
        if (isPlain(sealed)) {
          plain += 1;
          continue;
        }
        const id = keyIdOf(sealed) ?? "none";
        const key = byId.get(id) ?? { id, place: null, encrypts: false, secrets: 0 };
        key.secrets += 1;
        byId.set(id, key);
      }
    return { keys: [...byId.values()], plain };
  }

  return {
    name: "encryption",
    actions: {
      /** The keys, the one that encrypts first, and how much is stored under each. */
      status: {
        params: closed({}),
        handler: status,
      },
      /** Encrypts all signing secrets with the first key. Gives of how many webhooks, and the keys afterwards. */
      rotate: {
        params: closed({}),
        handler: async (): Promise<{ webhooks: number } & Status> => {
          const webhooks = await rotate(database.queryPlanned, await keysOf(database, { makes: true }));
          return { webhooks, ...(await status()) };
        },
      },
    },
  };
}

/**
 * Number of webhooks of which this has encrypted a signing secret with the first key, in small steps beside running
 * requests. A row that changes meanwhile is left as it is, because the change has encrypted it anew. So the rotation
 * may be repeated, and killed at any moment. Secrets of an unknown key are left too. docs/guides/database.md#encryption
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
