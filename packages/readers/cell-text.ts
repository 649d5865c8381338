import { withLineFeeds } from "./line-feeds.ts";

/** Signs that are not seen. U+200C and U+200D shape words and pictures, so they stay within names. */
export const UNSEEN = "\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff";
export const JOINERS = "\\u200c\\u200d";
/** Blanks of every kind and unseen signs, which programs put around telephone numbers and names. */
const AROUND = new RegExp(`[\\s\\u0085${UNSEEN}${JOINERS}]`);
export const WITHIN_NAMES = new RegExp(`[${UNSEEN}]`, "g");
/** The blanks of Unicode that break no line. */
export const BLANKS = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const SHOWN_MAX = 60;

/** A heading without blanks around it and within, and without signs that are not seen. */
export function plainHeadingText(heading: string): string {
  return withLineFeeds(trimmed(heading)).replaceAll(BLANKS, " ").replaceAll(WITHIN_NAMES, "");
}

/**
 * A cell without the blanks around it, non-breaking ones included. Line breaks within it stay.
 * docs/guides/import-columns.md#cells
 */
export function trimmed(cell: string): string {
  let [from, to] = [0, cell.length];
  while (from < to && isAround(cell, from)) from += 1;
  while (from < to && isAround(cell, to - 1)) to -= 1;
  return to - from === cell.length ? cell : cell.slice(from, to);
}

/** Most cells begin and end with a letter or digit of ASCII, and need no expression. */
function isAround(cell: string, at: number): boolean {
  const code = cell.charCodeAt(at);
  return (code <= 0x20 || code >= 0x7f) && AROUND.test(cell.charAt(at));
}

/** A text in quotes and in one line, however long it is and whatever signs it has. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text);
}
