import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { CursorSeal } from "./cursor.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Length to which every position is filled up with spaces, so that the length of a cursor says nothing about it. */
const POSITION_LENGTH = 32;

/**
 * Makes cursors of which nobody can read the position: those of the feed count the events of all workspaces together. A
 * cursor is a random nonce, the encrypted position and the tag of AES-256-GCM, with the list as associated data, and so
 * two cursors of the same position have nothing in common. Like others they are valid on each gateway and after
 * restarts. docs/guides/event-feed.md#cursors
 * @param secret the one that all gateways share; the key is made of it for this purpose alone
 */
export function createEncryptedSeal(secret: Buffer): CursorSeal {
  const key = createSecretKey(createHmac("sha256", secret).update("cursors of the event feed").digest());
  const options = { authTagLength: TAG_BYTES };

  function seal(position: string, binding: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, options).setAAD(Buffer.from(binding));
    const encrypted = [cipher.update(position.padEnd(POSITION_LENGTH)), cipher.final()];
    return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString("base64url");
  }

  function open(cursor: string, binding: string): string | null {
    const bytes = Buffer.from(cursor, "base64url");
    // In base64 several texts may mean the same bytes. Only the spelling that `seal` makes is taken.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString("base64url") !== cursor) return null;
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), options)
      .setAAD(Buffer.from(binding))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const position = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([position, decipher.final()]).toString().trimEnd();
    } catch {
      // `final` throws when the bytes, the binding or the key are others.
      return null;
    }
  }

  return { seal, open };
}
