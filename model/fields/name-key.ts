import { createHash } from "node:crypto";
import { comparable } from "../../base/values/text.ts";

/**
 * The key by which names of companies are unique: SHA-256 of the trimmed name in NFC, in PostgreSQL's notation of bytea. Names
 * with the same key are the same name. docs/guides/companies.md#unique-names
 */
export function nameKey(name: string): string {
  return `\\x${createHash("sha256").update(comparable(name.trim())).digest("hex")}`;
}
