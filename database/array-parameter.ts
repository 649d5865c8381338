import type { Uuid } from "../base/values/ids.ts";

// Arrays as PostgreSQL takes them in binary. It reads a uuid or a text in them in a tenth of the time that it needs for
// one in the text of an array, and no text has to be quoted. docs/decisions/0008-batches.md

const HEADER_BYTES = 20;
const UUID_BYTES = 16;
const UUID_TYPE = 2950;
const BIGINT_BYTES = 8;
const BIGINT_TYPE = 20;
const WORD = 2 ** 32;
const TYPES = { text: 25, json: 114 } as const;
const LENGTH_OF_NULL = -1;

/** A value of an array; undefined is null. */
type Entry<Value> = Value | null | undefined;

/** The value of a `uuid[]` parameter. */
export function uuidArray(uuids: readonly Entry<Uuid>[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + uuids.length * (4 + UUID_BYTES));
  let at = HEADER_BYTES;
  for (const uuid of uuids) {
    const length = uuid ? UUID_BYTES : LENGTH_OF_NULL;
    bytes.writeInt32BE(length, at);
    at += 4;
    if (!uuid) continue;
    writeUuid(bytes, uuid, at);
    at += UUID_BYTES;
  }
  return withHeader(bytes.subarray(0, at), UUID_TYPE, uuids.length);
}

/** The value of a `bigint[]` parameter, for whole numbers from 0 to 2^53. */
export function bigintArray(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + numbers.length * (4 + BIGINT_BYTES));
  let at = HEADER_BYTES;
  // A view writes in a third of the time that a buffer takes.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const number of numbers) {
    view.setInt32(at, BIGINT_BYTES);
    view.setUint32(at + 4, Math.floor(number / WORD));
    view.setUint32(at + 8, number % WORD);
    at += 4 + BIGINT_BYTES;
  }
  return withHeader(bytes, BIGINT_TYPE, numbers.length);
}

/** The value of a `text[]` or `json[]` parameter. */
export function textArray(texts: readonly Entry<string>[], type: keyof typeof TYPES = "text"): Buffer {
  let size = HEADER_BYTES;
  for (const text of texts) size += 4 + (text ? Buffer.byteLength(text) : 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = HEADER_BYTES;
  for (const text of texts) {
    const length = text === null || text === undefined ? LENGTH_OF_NULL : bytes.write(text, at + 4);
    bytes.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return withHeader(bytes, TYPES[type], texts.length);
}

/** Number of dimensions, whether there may be nulls, type of the entries, number of entries, number of the first. */
function withHeader(bytes: Buffer, type: number, length: number): Buffer {
  bytes.writeInt32BE(length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(1, 4);
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(length, 12);
  bytes.writeInt32BE(1, 16);
  // An array without entries has no dimension.
  return length === 0 ? bytes.subarray(0, 12) : bytes;
}

const NIBBLES = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) NIBBLES[value.toString(16).charCodeAt(0)] = value;
/** Places of the first of the two digits of each byte in a uuid. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** Writes the bytes of a uuid, whose letters are small ones. */
function writeUuid(bytes: Buffer, uuid: Uuid, from: number): void {
  for (let i = 0; i < UUID_BYTES; i += 1) {
    const place = PLACES[i] as number;
    const high = uuid.charCodeAt(place);
    const low = uuid.charCodeAt(place + 1);
    bytes[from + i] = ((NIBBLES[high] as number) << 4) | (NIBBLES[low] as number);
  }
}
