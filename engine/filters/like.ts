/**
 * Whether an index of trigrams can find a text: it holds runs of three letters or digits, so the text needs such a run.
 */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

/** A text as a pattern of SQL's `like` that finds this very text: none of its characters is a wildcard. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
