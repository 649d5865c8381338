import { bareValue, unquoted } from "../../lib/exports/list-cells.ts";
import type { Column } from "./columns.ts";

/** Blanks of every kind, and signs that are not seen, which programs put around telephone numbers and names. */
const AROUND = /[\s\u200b-\u200f\u202a-\u202e\u2060]/;
const SHOWN_MAX = 60;
const EMPTY = { values: [] };

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
export function valuesOf(column: Column, cell: string): { values: readonly string[]; fault?: string } {
  const whole = trimmed(cell);
  if (whole === "") return EMPTY;
  return column.split === undefined && !column.pattern ? { values: [whole] } : partsOf(column, whole);
}

function partsOf({ target, pattern, split }: Column, whole: string): { values: string[]; fault?: string } {
  const field = target.to === "field" ? target.name : "";
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
