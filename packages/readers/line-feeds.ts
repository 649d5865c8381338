/** The line breaks of Unicode, and the vertical tab, which databases write for one. */
const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Whether a text has printable signs of ASCII alone, so that there is nothing in it to be replaced. */
export function isPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

/** A text with LF for every line break, so that a file gives the same values whatever ends its lines. */
export function withLineFeeds(text: string): string {
  return isPrintable(text) ? text : text.replaceAll(BREAKS, "\n");
}
