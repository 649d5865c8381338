import { hash } from "node:crypto";

/**
 * The line in which each key of a file stands first. It keeps no keys but 64 bits of their hashes, 12 bytes with the line in a
 * table that is at most three quarters full: 16 to 32 bytes a key, 64 MB for two million of them. Two keys of a file of a million
 * rows have the same bits by a chance of one in ten million; then a row would count as one about the same record.
 */
export interface KeyLines {
  /** The line in which a key stands first; undefined for one that does not. */
  lineOf(key: string): number | undefined;
  /** Keeps a line, unless the key has an earlier one. */
  add(key: string, line: number): void;
}

const SLOTS_AT_FIRST = 1024;
/** The two halves of the hash, and the line, which is never 0. */
const SLOT = 3;

export function createKeyLines(): KeyLines {
  let slots = SLOTS_AT_FIRST;
  let table = new Uint32Array(slots * SLOT);
  let count = 0;
  // A key is nearly always looked for and then added.
  let last = { key: "", halves: halvesOf("") };

  function hashed(key: string): [high: number, low: number] {
    if (key !== last.key) last = { key, halves: halvesOf(key) };
    return last.halves;
  }

  /** The place of a hash in the table, or the free one where it belongs. */
  function find(high: number, low: number): number {
    let at = (low % slots) * SLOT;
    while (table[at + 2] !== 0 && (table[at] !== high || table[at + 1] !== low)) at = (at + SLOT) % table.length;
    return at;
  }

  function grow(): void {
    const before = table;
    slots *= 2;
    table = new Uint32Array(slots * SLOT);
    for (let at = 0; at < before.length; at += SLOT)
      if (before[at + 2] !== 0) table.set(before.subarray(at, at + SLOT), find(before[at] ?? 0, before[at + 1] ?? 0));
  }

  return {
    lineOf(key) {
      const line = table[find(...hashed(key)) + 2] ?? 0;
      return line === 0 ? undefined : line;
    },
    add(key, line) {
      const [high, low] = hashed(key);
      const at = find(high, low);
      const kept = table[at + 2] ?? 0;
      if (kept !== 0 && kept <= line) return;
      table.set([high, low, line], at);
      if (kept !== 0) return;
      count += 1;
      if (count * 4 > slots * 3) grow();
    },
  };
}

function halvesOf(key: string): [high: number, low: number] {
  // A text of hex digits takes a third of the time of a buffer.
  const hex = hash("md5", key, "hex");
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}
