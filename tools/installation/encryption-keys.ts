import type { Env } from "../../config/env.ts";
import type { KeyPlaces } from "../../engine/secrets/keys.ts";

/** Places of the keys of stored secrets. docs/guides/database.md#encryption */
export function keyPlaces({ encryptionKeys = [], databaseUrl, dataDir }: Env): KeyPlaces {
  return { given: encryptionKeys, folder: databaseUrl === undefined ? dataDir : null };
}

/**
 * Service folders that encrypt or read stored secrets: the signing secrets of webhooks, and saved responses with one.
 * Only their processes need ENCRYPTION_KEYS.
 */
export const FOLDERS_WITH_KEYS: readonly string[] = ["idempotency", "webhooks", "workspaces"];

/**
 * Warnings about secrets that are stored without a key of the installation: one sentence, or none.
 * docs/guides/database.md#encryption
 */
export function keyWarnings({ encryptionKeys, databaseUrl, services }: Env): string[] {
  if (encryptionKeys || databaseUrl === undefined) return [];
  if (services && !services.some((folder) => FOLDERS_WITH_KEYS.includes(folder))) return [];
  return [
    'ENCRYPTION_KEYS is not set, so a copy of the database shows the signing secrets of webhooks: set it to what "openssl rand -base64 32" prints, and run "encryption rotate".',
  ];
}
