/** A promise of the server that a history shows broken. */
export interface Broken {
  promise: string;
  /** What was seen, with the key, user or time by which it is found in the history. */
  seen: string;
}

/** What a program came to: figures for its closing table, and what was broken; nothing, when all is well. */
export interface Outcome {
  figures: Record<string, string | number>;
  broken: Broken[];
}

/** Time on the one clock of a history, in milliseconds; it never steps back. */
export function now(): number {
  return performance.now();
}
