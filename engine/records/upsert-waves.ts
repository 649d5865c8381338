/** A record of a batch, as far as it decides which others have to be written before it. */
export interface Step {
  /** The values of its keys, and the records that these find. */
  tokens: readonly string[];
  /** Whether its values find more records than are known here: every other one may be about one of them. */
  isBroad: boolean;
}

/**
 * The waves in which the records of a batch are written, each as the places of its records. A record comes behind all
 * earlier ones with which it has a value or a record in common, and so sees what they have made; those of one wave have
 * nothing in common. docs/guides/upsert.md#batches
 */
export function wavesOf(steps: readonly Step[]): number[][] {
  const waves: number[][] = [];
  const lastOf = new Map<string, number>();
  let floor = 0;
  for (const [i, { tokens, isBroad }] of steps.entries()) {
    const behind = tokens.map((token) => (lastOf.get(token) ?? -1) + 1);
    const wave = Math.max(floor, isBroad ? waves.length : 0, ...behind);
    const places = waves[wave] ?? [];
    waves[wave] = places;
    places.push(i);
    for (const token of tokens) lastOf.set(token, wave);
    if (isBroad) floor = wave + 1;
  }
  return waves;
}
