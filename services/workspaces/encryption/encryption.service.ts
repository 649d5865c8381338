import type { ServiceSchema } from "moleculer";
import { closed } from "../../../base/contract/schema.ts";
import { keyIdOf } from "../../../engine/secrets/cipher.ts";
import type { Key, KeyPlace } from "../../../engine/secrets/key.ts";
import { keysOf } from "../../../engine/secrets/sealing.ts";
import { storedSecrets } from "../../../engine/secrets/stored.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { type Rotated, rotate } from "./rotate.ts";

/** A key, and what is stored under it. */
interface UsedKey {
  id: string;
  /** Null for a key that is not known. */
  place: KeyPlace | null;
  encrypts: boolean;
  secrets: number;
  responses: number;
}

/** The keys by which secrets are encrypted. Only the command line calls these actions. docs/guides/running.md#encryption */
export default function encryptionService({ database }: ServiceContext): ServiceSchema {
  /** The keys in their order, and behind them those that are not known and have encrypted something. */
  async function usedKeys(): Promise<UsedKey[]> {
    const used = (await keysOf(database, { makes: false })).map(
      ({ id, place }: Key, i): UsedKey => ({ id, place, encrypts: i === 0, secrets: 0, responses: 0 }),
    );
    const byId = new Map(used.map((key) => [key.id, key]));
    for await (const page of storedSecrets(database.queryAlone))
      for (const { what, sealed } of page) {
        const id = keyIdOf(sealed) ?? "none";
        const key = byId.get(id) ?? { id, place: null, encrypts: false, secrets: 0, responses: 0 };
        byId.set(id, key);
        if (what === "secret") key.secrets += 1;
        else key.responses += 1;
      }
    return [...byId.values()];
  }

  return {
    name: "encryption",
    actions: {
      /** The keys, the one that encrypts first, and how much is stored under each. */
      status: {
        params: closed({}),
        handler: async (): Promise<{ keys: UsedKey[] }> => ({ keys: await usedKeys() }),
      },
      /** Encrypts all that is stored with the first key. Gives what it has, and the keys afterwards. */
      rotate: {
        params: closed({}),
        handler: async (): Promise<Rotated & { keys: UsedKey[] }> => {
          const rotated = await rotate(database.queryAlone, await keysOf(database, { makes: false }));
          return { ...rotated, keys: await usedKeys() };
        },
      },
    },
  };
}
