/** A word with its article, as sentences about one thing have it: a person, an object. */
export function withArticle(word: string): string {
  return /^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`;
}
