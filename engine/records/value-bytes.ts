import { RECORD_VALUES_BYTES_MAX } from "../../config/limits.ts";
import type { Membership } from "./select.ts";

/**
 * Why a record may not have these custom values: in all its groups together they would take too many bytes. Null when
 * they do not, and when the record takes as many already, so that one which was written before this bound can be made
 * smaller step by step.
 * docs/guides/limits.md#what-a-workspace-may-have
 */
export function refuseBytes(before: Membership[], after: Membership[]): string | null {
  if (bytesAtMost(after) <= RECORD_VALUES_BYTES_MAX) return null;
  const bytes = bytesOf(after);
  if (bytes <= RECORD_VALUES_BYTES_MAX || bytes <= bytesOf(before)) return null;
  const [most, asked] = [RECORD_VALUES_BYTES_MAX, bytes].map((count) => count.toLocaleString("en-US"));
  return `The custom values of a record take at most ${most} bytes, in all its groups together. These would take ${asked}`;
}

/** Approximate number of UTF-16 units of custom values: the cost of reading and writing them grows with it. */
export function lengthOfValues(memberships: Membership[]): number {
  let length = 0;
  for (const { values } of memberships) for (const stored of Object.values(values)) length += lengthOfTexts(stored);
  return length;
}

/** Number of UTF-16 units of a text or a list of texts; 0 for anything else. */
export function lengthOfTexts(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  let length = 0;
  for (const entry of value) length += lengthOfTexts(entry);
  return length;
}

/** Maximum number of bytes of JSON around a text: a uuid, its quotes, those of the text, and the separators. */
const BYTES_AROUND = 64;
/** The most bytes of a UTF-16 unit in JSON: those of an escape like \u001f. */
const BYTES_OF_UNIT = 6;

/**
 * More bytes than the values can take. It is found without making their text, which nearly all writes are spared by it.
 */
function bytesAtMost(memberships: Membership[]): number {
  let bytes = 0;
  for (const { values } of memberships) {
    bytes += 2 * BYTES_AROUND;
    for (const stored of Object.values(values)) {
      bytes += BYTES_AROUND;
      if (typeof stored === "string") bytes += stored.length * BYTES_OF_UNIT;
      else for (const entry of stored) bytes += BYTES_AROUND + entry.length * BYTES_OF_UNIT;
    }
  }
  return bytes;
}

function bytesOf(memberships: Membership[]): number {
  return Buffer.byteLength(JSON.stringify(memberships));
}
