import { BODY_BYTES_MAX } from "../../../config/limits.ts";
import type { Place } from "../admission/admission.ts";

/** Minimum size for the first chunk. */
const FIRST_BYTES = 4096;

/** The bytes of a body as far as they have arrived. */
export interface Collected {
  /**
   * Takes a copy of a chunk.
   * @throws ApiError 503 when there is no room for it
   */
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

/**
 * Puts chunks together in one buffer that doubles, and reserves all of its capacity: kept as they come, ten million chunks
 * of one byte would take a hundred times the bytes that were counted.
 * @param announced how many there are in all, as far as the head tells; they take room only as they arrive
 */
export function collectBytes(announced: number | undefined, place: Pick<Place, "reserve">): Collected {
  const most = announced ?? BODY_BYTES_MAX;
  let buffer = Buffer.alloc(0);
  let size = 0;

  function makeRoom(needed: number): void {
    const capacity = Math.max(needed, Math.min(most, Math.max(FIRST_BYTES, 2 * buffer.length)));
    place.reserve(capacity - buffer.length);
    // A slice of the pool that Node keeps for small buffers would hold on to all of it.
    const larger = Buffer.allocUnsafeSlow(capacity);
    buffer.copy(larger, 0, 0, size);
    buffer = larger;
  }

  return {
    add(chunk) {
      if (size + chunk.length > buffer.length) makeRoom(size + chunk.length);
      chunk.copy(buffer, size);
      size += chunk.length;
    },
    bytes: () => buffer.subarray(0, size),
  };
}
