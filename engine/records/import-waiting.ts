import type { EntryKeys, ImportEntry } from "./import-entry.ts";
import { areTwo } from "./match-keys.ts";

/**
 * The rows of a batch that wait for no earlier one, in their order. A row waits for an earlier row that may be about the same record,
 * so that it finds what that row leaves. docs/guides/import.md#rows-about-the-same-record
 */
export function withoutWaiting(entries: ImportEntry[]): ImportEntry[] {
  const earlier = new Map<string, EntryKeys[]>();
  return entries.filter(({ keys }) => {
    const waits =
      keys.looksFor.some((key) => earlier.has(key)) ||
      keys.looksForAlike.some((key) => earlier.get(key)?.some((other) => mayBeOne(keys, other)));
    for (const key of keys.has) {
      const known = earlier.get(key);
      if (known) known.push(keys);
      else earlier.set(key, [keys]);
    }
    return !waits;
  });
}

function mayBeOne({ identity: one }: EntryKeys, { identity: other }: EntryKeys): boolean {
  return !one || !other || !areTwo(one, other);
}
