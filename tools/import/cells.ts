import { BLANKS, JOINERS, quoted, trimmed, UNSEEN, WITHIN_NAMES } from "contact-workspace-readers/cell-text";
import { isPrintable, withLineFeeds } from "contact-workspace-readers/line-feeds";
import { bareValue, unquoted } from "../export/list-cells.ts";

const WITHIN_ADDRESSES = new RegExp(`[${UNSEEN}${JOINERS}]`, "g");
/** The hyphen of Unicode, and the one that breaks no line. */
const HYPHENS = /[\u2010\u2011]/g;
const EMPTY = { values: [] };

/** The parts of a column that decide how its cells are read. */
interface Reading {
  target: { to: string; name?: string };
  pattern?: RegExp | undefined;
  split?: string | RegExp | undefined;
}

/** Fields whose values programs compare and dial. */
const ADDRESSES = ["emails", "phones", "urls"];

/**
 * A cell as a value of its column: trimmed, and with LF for line breaks. Texts that people have written keep all else;
 * in other native fields every blank and hyphen is the ordinary one, and what is not seen is taken out.
 * docs/guides/import-columns.md#cells
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

/**
 * The values of a cell: none of a blank one, several where it is split, each once. Where a part does not match the
 * pattern of the map, `fault` says so.
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
