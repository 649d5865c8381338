import type { Query } from "../../database/query.ts";
import { keyIdOf } from "./cipher.ts";
import { putKeyIntoFolder } from "./key-file.ts";
import { type KeyPlaces, putKeyIntoDatabase, readKeys } from "./keys.ts";
import { storedSecrets } from "./stored-webhooks.ts";

/**
 * Puts a key that a backup has brought where the installation finds it: into the folder of the embedded database, else into the
 * table `settings`. Of several the first is taken that is not known yet; where there is a key already, that one stays.
 */
export async function bringKey(query: Query, places: KeyPlaces, brought: { id: string; key: string }[]): Promise<void> {
  const known = new Set((await readKeys(places, query, { makes: false })).map(({ id }) => id));
  const first = brought.find(({ id }) => !known.has(id));
  if (!first) return;
  const bytes = Buffer.from(first.key, "base64");
  if (places.folder === null) await putKeyIntoDatabase(query, bytes);
  else putKeyIntoFolder(places.folder, bytes);
}

/** The ids of keys that are not here and without which a signing secret cannot be read. */
export async function unknownKeys(query: Query, places: KeyPlaces): Promise<string[]> {
  const known = new Set((await readKeys(places, query, { makes: false })).map(({ id }) => id));
  const unknown = new Set<string>();
  for await (const page of storedSecrets(query))
    for (const { sealed } of page) {
      const id = keyIdOf(sealed);
      if (id !== null && !known.has(id)) unknown.add(id);
    }
  return [...unknown];
}
