import type { Database } from "../../database/database.ts";
import { createSealing, type Sealing } from "./cipher.ts";
import type { Key } from "./key.ts";
import { type KeyPlaces, readKeys } from "./keys.ts";

export type { Sealing } from "./cipher.ts";

/** Part of a database that sealing needs. */
type Reading = Pick<Database, "read">;

const places = new WeakMap<object, KeyPlaces>();
const sealings = new WeakMap<object, Promise<Sealing>>();

/** Sets the places of the keys for the secrets of a database. */
export function useKeys(database: object, keyPlaces: KeyPlaces): void {
  places.set(database, keyPlaces);
  sealings.delete(database);
}

/**
 * The sealing for what lies in a database, which is made once. When something turns up that was sealed by an unknown
 * key, the next one who asks has the keys read anew: a process of an earlier release may have made one meanwhile. So do
 * not keep it; ask for it where it is used.
 */
export function sealingOf(database: Reading): Promise<Sealing> {
  const known = sealings.get(database);
  if (known) return known;
  const forget = () => sealings.delete(database);
  const sealing = keysOf(database, { makes: true }).then((keys) => createSealing(keys, forget));
  sealing.catch(forget);
  sealings.set(database, sealing);
  return sealing;
}

/** The keys for the secrets of a database, the encrypting key first. `makes` as in `readKeys`. */
export function keysOf(database: Reading, options: { makes: boolean }): Promise<Key[]> {
  return readKeys(places.get(database) ?? { given: [], folder: null }, database.read, options);
}
