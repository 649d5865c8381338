import { LRUCache } from "lru-cache";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";

// The directory of hashes, the table `key_hashes`. docs/architecture.md#data

/** Maximum number of keys whose places a process remembers. The least recently used one is forgotten first. */
const KEYS_KEPT = 10_000;

/** Workspace and uuid of an API key. */
export interface KeyPlace {
  workspaceId: Uuid;
  keyId: Uuid;
}

/** Returns the place of the key with a hash, which is in hexadecimal; undefined for an unknown one. */
export type FindPlace = (hash: string) => Promise<KeyPlace | undefined>;

/**
 * Creates a function that finds places. It asks the directory once for each key, because a hash never gets another
 * place. A place says nothing about whether the key is still there: the caller compares the hash with that of the row.
 */
export function createPlaces(query: Query): FindPlace {
  const places = new LRUCache<string, KeyPlace>({ max: KEYS_KEPT });
  return async (hash) => {
    const known = places.get(hash);
    if (known) return known;
    const [found] = await query<KeyPlace>(
      `select workspace_id as "workspaceId", key_id as "keyId" from key_hashes where hash = $1`,
      [Buffer.from(hash, "hex")],
    );
    if (found) places.set(hash, found);
    return found;
  };
}

/** Puts the hash of a new key into the directory, inside the transaction that inserts the key. */
export async function insertHash(query: Query, { workspaceId, keyId }: KeyPlace, hash: Buffer): Promise<void> {
  await query("insert into key_hashes (workspace_id, key_id, hash) values ($1, $2, $3)", [workspaceId, keyId, hash]);
}
