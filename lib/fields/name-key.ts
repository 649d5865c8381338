import { createHash } from "node:crypto";
import { comparable } from "../values/text.ts";

/**
 * The key by which names of companies are unique: SHA-256 of the trimmed name in NFC, in PostgreSQL's notation of bytea.
 * gaps 4, "Company": compared exactly after trimming; gaps 2, "Text": by code point after NFC.
 */
export function nameKey(name: string): string {
  return `\\x${createHash("sha256").update(comparable(name.trim())).digest("hex")}`;
}
