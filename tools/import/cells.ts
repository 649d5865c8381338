import { isPrintable, withLineFeeds } from "../../base/values/line-feeds.ts";
import { bareValue, unquoted } from "../export/list-cells.ts";

/** Signs that are not seen. U+200C and U+200D shape words and pictures, so they stay within names. */
const UNSEEN = "\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff";
const JOINERS = "\\u200c\\u200d";
/** Blanks of every kind and unseen signs, which programs put around telephone numbers and names. */
const AROUND = new RegExp(`[\\s\\u0085${UNSEEN}${JOINERS}]`);
const WITHIN_NAMES = new RegExp(`[${UNSEEN}]`, "g");
const WITHIN_ADDRESSES = new RegExp(`[${UNSEEN}${JOINERS}]`, "g");
/** The blanks of Unicode that break no line. */
const BLANKS = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** The hyphen of Unicode, and the one that breaks no line. */
const HYPHENS = /[\u2010\u2011]/g;
const SHOWN_MAX = 60;
const EMPTY = { values: [] };

/** The parts of a column that decide how its cells are read. */
interface Reading {
  target: { to: string; name?: string };
  pattern?: RegExp | undefined;
  split?: string | RegExp | undefined;
}

/** Fields in which a program compares and dials what stands there. */
const ADDRESSES = ["emails", "phones", "urls"];

/**
 * A cell as a value of its column: trimmed, and with LF for line breaks. Texts that people have written keep all else;
 * in other native fields every blank and hyphen is the ordinary one, and what is not seen is taken out.
 * docs/guides/import.md#cells
 */
function plainCell({ target }: Reading, cell: string): string {
  const whole = withLineFeeds(trimmed(cell));
  if (isPrintable(whole)) return whole;
  const isWritten = target.to === "custom" || (target.to === "field" && target.name === "description");
  if (isWritten) return whole;
  const isAddress = target.to === "field" && ADDRESSES.includes(target.name ?? "");
  return whole
    .replaceAll(BLANKS, " ")
    .replaceAll(HYPHENS, "-")
    .replaceAll(isAddress ? WITHIN_ADDRESSES : WITHIN_NAMES, "");
}

/** A heading without blanks around it and within, and without signs that are not seen. */
export function plainHeadingText(heading: string): string {
  return withLineFeeds(trimmed(heading)).replaceAll(BLANKS, " ").replaceAll(WITHIN_NAMES, "");
}

/** A cell without the blanks around it, non-breaking ones included. Line breaks within it stay. docs/guides/import.md#cells */
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

/**
 * The values of a cell: none of a blank one, several where it is split, each once. Where a part does not match the pattern of the
 * map, `fault` says so.
 */
export function valuesOf(column: Reading, cell: string): { values: readonly string[]; fault?: string } {
  const whole = plainCell(column, cell);
  if (whole === "") return EMPTY;
  return column.split === undefined && !column.pattern ? { values: [whole] } : partsOf(column, whole);
}

function partsOf({ target, pattern, split }: Reading, whole: string): { values: string[]; fault?: string } {
  const field = target.to === "field" ? (target.name ?? "") : "";
  const parts = split === undefined ? [whole] : dividedBy(split, whole, field);
  const values = new Set<string>();
  for (const part of parts) {
    const match = pattern?.exec(part);
    if (pattern && !match) return { values: [], fault: `${quoted(part)} does not match the pattern ${pattern.source}` };
    const value = match ? trimmed(match[1] ?? match[0]) : part;
    if (value !== "") values.add(value);
  }
  return { values: [...values] };
}

/** A cell that stands in double quotes as a whole is one value, as it stands there. */
function dividedBy(split: string | RegExp, whole: string, field: string): string[] {
  const value = unquoted(whole);
  return value === undefined ? whole.split(split).map((part) => bareValue(field, trimmed(part))) : [value];
}

/** A text that a file gives, as it may stand on a screen: in one line, and without signs that steer a terminal. */
export function onScreen(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1));
}

/** A text in quotes and in one line, however long it is and whatever signs it has. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text);
}
