import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "cwk_";
const SECRET_BYTES = 32;
const FORM = /^cwk_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;
/** Number of random characters of a key that lists show. They hold 48 of its 256 bits. */
const SHOWN_CHARACTERS = 8;
const SHOWN_FORM = /^cwk_[A-Za-z0-9_-]{8}$/;

/**
 * Makes an API key: a prefix, 256 random bits, and a checksum. By prefix and checksum a leaked or mistyped key is
 * recognised without a database. docs/guides/access.md#api-keys
 */
export function newKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Whether a text has the form of a key and its own checksum. */
export function isKey(text: string): boolean {
  const match = FORM.exec(text);
  return match !== null && checksum(match[1] ?? "") === match[2];
}

/** The beginning of a key in lists: `cwk_abcdefgh`. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX.length + SHOWN_CHARACTERS);
}

/** Whether a text has the form of such a beginning. */
export function isKeyPrefix(text: string): boolean {
  return SHOWN_FORM.test(text);
}

/** The hash of a key, which is all that is stored of it. A secret of 256 random bits needs no slow hash. */
export function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checksum(secret: string): string {
  return crc32(secret).toString(16).padStart(8, "0");
}
