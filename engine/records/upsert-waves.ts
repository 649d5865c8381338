/** A record of a batch, as far as it decides which others can be written together with it. */
export interface Related {
  /** The values of its keys, and the records that these find. */
  tokens: readonly string[];
  /** Whether its values find more records than are known here. Each other draft may then be about one of them. */
  isBroad: boolean;
}

/**
 * The waves in which the records of a batch are written, each as the places of its records. Records that have a token
 * in common are related, and so are those that are related to the same one: it may make them be about one record. Each
 * wave has the next record of every family, so a record sees what its relatives before it have made.
 * docs/guides/upsert.md#batches
 */
export function wavesOf(records: readonly Related[]): number[][] {
  const families = familiesOf(records);
  const waves: number[][] = [];
  const sizes = new Map<number, number>();
  for (const [i, family] of families.entries()) {
    const wave = sizes.get(family) ?? 0;
    sizes.set(family, wave + 1);
    const places = waves[wave] ?? [];
    waves[wave] = places;
    places.push(i);
  }
  return waves;
}

/** The family of each record, named by the place of its first member. */
function familiesOf(records: readonly Related[]): number[] {
  const heads = records.map((_, i) => i);
  const headOf = (i: number): number => {
    const head = heads[i] ?? i;
    return head === i ? i : headOf(head);
  };
  const unite = (i: number, other: number) => {
    heads[Math.max(headOf(i), headOf(other))] = Math.min(headOf(i), headOf(other));
  };
  const firstWith = new Map<string, number>();
  for (const [i, { tokens, isBroad }] of records.entries()) {
    for (const token of tokens) unite(i, firstWith.get(token) ?? i);
    for (const token of tokens) firstWith.set(token, headOf(i));
    if (isBroad) for (const other of heads.keys()) unite(i, other);
  }
  return heads.map((_, i) => headOf(i));
}
