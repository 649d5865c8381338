import type { Env } from "../../config/env.ts";
import type { KeyPlaces } from "../../engine/secrets/keys.ts";

/** Places of the keys of stored secrets. docs/guides/running.md#encryption */
export function keyPlaces({ encryptionKeys = [], databaseUrl, dataDir }: Env): KeyPlaces {
  return { given: encryptionKeys, folder: databaseUrl === undefined ? dataDir : null };
}

/** Warnings about keys that lie beside what they encrypt: one sentence, or none. docs/guides/running.md#encryption */
export function keyWarnings({ encryptionKeys, databaseUrl }: Env): string[] {
  if (encryptionKeys || databaseUrl === undefined) return [];
  return [
    'ENCRYPTION_KEYS is not set, so the key for stored secrets lies in the database beside them: set it to what "openssl rand -base64 32" prints, and run "encryption rotate".',
  ];
}
