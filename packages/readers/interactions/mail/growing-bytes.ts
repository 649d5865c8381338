const FIRST_CAPACITY = 16 * 1024;
const LINE_FEED = 10;

/** Bytes that grow line by line. */
export interface GrowingBytes {
  /** Adds a line and a line feed. `length` counts, if it is more than what is left of a line that was too long. */
  add(line: Buffer, length?: number): void;
  /** Null when it has become more than it may have; then nothing of it is kept. */
  whole(): Uint8Array<ArrayBuffer> | null;
}

/**
 * One block of memory that doubles when it is full. A list of the lines would be slower: a mail of 10 MB has a hundred thousand,
 * and clearing them away holds the process up.
 */
export function createGrowingBytes(maxBytes: number): GrowingBytes {
  let bytes = new Uint8Array(0);
  let used = 0;
  let counted = 0;

  function add(line: Buffer, length = line.length): void {
    counted += length + 1;
    if (counted > maxBytes) {
      bytes = new Uint8Array(0);
      return;
    }
    reserve(used + line.length + 1);
    bytes.set(line, used);
    used += line.length + 1;
    bytes[used - 1] = LINE_FEED;
  }

  function reserve(needed: number): void {
    if (needed <= bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, bytes.length * 2, FIRST_CAPACITY));
    larger.set(bytes.subarray(0, used));
    bytes = larger;
  }

  return { add, whole: () => (counted > maxBytes ? null : bytes.slice(0, used)) };
}
