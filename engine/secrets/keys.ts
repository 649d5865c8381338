import type { Query } from "../../database/query.ts";
import { type Key, keyOf } from "./key.ts";
import { keyInFolder } from "./key-file.ts";

/** Places of the keys of an installation. */
export interface KeyPlaces {
  /** Those of ENCRYPTION_KEYS, in their order. */
  given: readonly Buffer[];
  /** The folder of the embedded database; null with any other. */
  folder: string | null;
}

/** The name in the table `settings` of a key that an earlier release has made, or a backup has brought. */
const SETTING = "secret.encryption";

/**
 * The keys of an installation, the one that encrypts first: those that were given, the one in the folder, one in the
 * database. The later ones stay readable when a better one is set. There may be none.
 * docs/guides/database.md#encryption
 * @param makes whether one is made in the folder when none is given
 */
export async function readKeys(
  { given, folder }: KeyPlaces,
  query: Query,
  { makes }: { makes: boolean },
): Promise<Key[]> {
  const inFolder = folder === null ? null : keyInFolder(folder, { makes: makes && given.length === 0 });
  const rows = await query<{ value: string }>("select value from settings where name = $1", [SETTING]);
  const keys = [
    ...given.map((bytes) => keyOf(bytes, "ENCRYPTION_KEYS")),
    ...(inFolder ? [inFolder] : []),
    ...rows.map(({ value }) => keyOf(Buffer.from(value, "base64"), "database")),
  ];
  return keys.filter(({ id }, i) => keys.findIndex((key) => key.id === id) === i);
}

/** Puts a key into the table `settings`, unless there is one. */
export async function putKeyIntoDatabase(query: Query, bytes: Buffer): Promise<void> {
  await query("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    SETTING,
    JSON.stringify(bytes.toString("base64")),
  ]);
}
