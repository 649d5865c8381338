/** The entry at a place of a list that is used round and round. */
export function pick<Entry>(list: readonly Entry[], i: number): Entry {
  const entry = list[i % list.length];
  if (entry === undefined) throw new Error("There is nothing to pick from");
  return entry;
}
