import { randomBytes } from "node:crypto";
import type { Query } from "../../database/query.ts";
import { KEY_BYTES, type Key, keyOf } from "./key.ts";
import { keyInFolder } from "./key-file.ts";

/** Places of the keys of an installation, besides its database. */
export interface KeyPlaces {
  /** Those of ENCRYPTION_KEYS, in their order. */
  given: readonly Buffer[];
  /** The folder of the embedded database; null with any other. */
  folder: string | null;
}

/** The name in the table `settings`. It begins as that of other secrets does. */
const SETTING = "secret.encryption";

/**
 * The keys of an installation, the one that encrypts first: those that were given, the one in the folder, the one in the database.
 * The later ones stay readable when a better one is set. docs/guides/running.md#encryption
 * @param makes whether one is made, in the best place that there is, when there is none at all
 */
export async function readKeys(
  { given, folder }: KeyPlaces,
  query: Query,
  { makes }: { makes: boolean },
): Promise<Key[]> {
  const first = given.map((bytes) => keyOf(bytes, "ENCRYPTION_KEYS"));
  const inFolder = folder === null ? null : keyInFolder(folder, { makes: makes && first.length === 0 });
  const better = inFolder ? [...first, inFolder] : first;
  const inDatabase = await keyInDatabase(query, { makes: makes && better.length === 0 });
  const keys = inDatabase ? [...better, inDatabase] : better;
  return keys.filter(({ id }, i) => keys.findIndex((key) => key.id === id) === i);
}

async function keyInDatabase(query: Query, { makes }: { makes: boolean }): Promise<Key | null> {
  const find = async () => {
    const [row] = await query<{ value: string }>("select value from settings where name = $1", [SETTING]);
    return row ? keyOf(Buffer.from(row.value, "base64"), "database") : null;
  };
  const found = await find();
  if (found || !makes) return found;
  await putKeyIntoDatabase(query, randomBytes(KEY_BYTES));
  return find();
}

/** Puts a key into the table `settings`, unless there is one. */
export async function putKeyIntoDatabase(query: Query, bytes: Buffer): Promise<void> {
  await query("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    SETTING,
    JSON.stringify(bytes.toString("base64")),
  ]);
}
