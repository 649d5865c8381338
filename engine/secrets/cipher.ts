import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { KEY_ID_BYTES, type Key } from "./key.ts";

/** Encrypts texts that are stored, and makes them readable again. docs/guides/database.md#encryption */
export interface Sealing {
  /**
   * Encrypts a text with the first key; without any key it stays as it is.
   * @param purpose kind and owner of the text, needed again to decrypt it, so that it is of no use in another row
   */
  seal(text: string, purpose: string): Buffer;
  /**
   * The text that was sealed for this purpose, or was stored as it is.
   * @throws Error when the key is not known, which it names by its id, and when the bytes or the purpose are others
   */
  open(sealed: Buffer, purpose: string): string;
}

/**
 * First byte of everything that is sealed; it names the format. No stored text begins with it, so both can be in one
 * column.
 */
export const SEALED = 1;
/** Smaller first bytes are formats; this release knows one of them. */
const FIRST_OF_TEXT = 0x20;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Format, id of the key. They are in the clear, and authenticated with the purpose. */
const HEAD_BYTES = 1 + KEY_ID_BYTES;

/**
 * A sealing by these keys: the first one seals, all of them open. What is sealed is the format, the id of the key, a
 * random nonce, the encrypted text and the tag of AES-256-GCM.
 * @param onUnknown is called before the error of a key that is not among them
 */
export function createSealing(keys: readonly Key[], onUnknown: () => void = () => undefined): Sealing {
  const byId = new Map(keys.map((key) => [key.id, key]));

  function seal(text: string, purpose: string): Buffer {
    const [key] = keys;
    if (!key) return Buffer.from(text);
    const head = Buffer.concat([Buffer.of(SEALED), Buffer.from(key.id, "hex")]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(authenticated(head, purpose));
    const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([head, nonce, encrypted, cipher.getAuthTag()]);
  }

  function open(sealed: Buffer, purpose: string): string {
    if (isPlain(sealed)) return sealed.toString();
    const id = keyIdOf(sealed);
    if (id === null || sealed.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES)
      throw new Error(`The ${purpose} is stored in a form that this release does not know.`);
    const key = byId.get(id);
    if (!key) {
      onUnknown();
      throw new Error(`The ${purpose} is encrypted with the key ${id}, which is not known here: ${REMEDY}.`);
    }
    const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key.secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated(sealed.subarray(0, HEAD_BYTES), purpose));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString();
    } catch (cause) {
      throw new Error(`The ${purpose} was changed since it was encrypted, or is of another row.`, { cause });
    }
  }

  return { seal, open };
}

/** Way out when a key is not known. */
export const REMEDY = "add it to ENCRYPTION_KEYS, or restore the file encryption.key of DATA_DIR";

/** Whether bytes are the text itself, since there was no key to seal it with. */
export function isPlain(bytes: Buffer): boolean {
  return (bytes[0] ?? 0) >= FIRST_OF_TEXT;
}

/** The id of the key that has sealed a text; null if it is not sealed. */
export function keyIdOf(sealed: Buffer): string | null {
  return sealed[0] === SEALED ? sealed.subarray(1, HEAD_BYTES).toString("hex") : null;
}

function authenticated(head: Buffer, purpose: string): Buffer {
  return Buffer.concat([head, Buffer.from(purpose)]);
}
