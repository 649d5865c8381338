/**
 * A text without characters that PostgreSQL or UTF-8 cannot hold: NUL and halves of surrogate pairs.
 * docs/guides/values.md#text
 */
export function plain(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/**
 * The beginning of a text, at most `max` UTF-16 units of it, and whether something is missing. No character is cut in
 * two.
 */
export function fitted(text: string, max: number): { text: string; isCut: boolean } {
  if (text.length <= max) return { text, isCut: false };
  const endsInPair = /[\ud800-\udbff]/.test(text.charAt(max - 1));
  return { text: text.slice(0, endsInPair ? max - 1 : max), isCut: true };
}

/** A text in one line: every row of blanks and line breaks is one blank. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
