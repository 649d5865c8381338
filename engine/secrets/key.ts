import { createHash, createSecretKey, type KeyObject } from "node:crypto";

/** Place of a key: the variable, the file in the folder DATA_DIR, or the table `settings`. */
export type KeyPlace = "ENCRYPTION_KEYS" | "DATA_DIR" | "database";

/** A key of AES-256, with the id that sealed texts name it by. */
export interface Key {
  /** 16 hexadecimal digits of a hash, which tell nothing of the key. */
  id: string;
  place: KeyPlace;
  secret: KeyObject;
}

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 8;

/** The key that these 32 bytes are. */
export function keyOf(bytes: Buffer, place: KeyPlace): Key {
  const hash = createHash("sha256").update("contact-workspace key id ").update(bytes).digest();
  return { id: hash.subarray(0, KEY_ID_BYTES).toString("hex"), place, secret: createSecretKey(bytes) };
}
