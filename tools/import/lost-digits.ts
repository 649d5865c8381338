import { quoted } from "contact-workspace-readers/cell-text";

/** A number that a spreadsheet or a program has written with a power of ten: `4.94E+11`. */
const SCIENTIFIC = /^(?<sign>[+-]?)(?<whole>\d)(?:[.,](?<fraction>\d+)E\+?|E\+)(?<exponent>\d{1,3})$/i;
/** A spreadsheet fills a cell with these when its column is too narrow for a number or a date. */
const TOO_NARROW = /^#{3,}$/;

/** True if a text is a number that has lost digits. */
export function hasLostDigits(text: string): boolean {
  const { fraction = "", exponent } = SCIENTIFIC.exec(text)?.groups ?? {};
  return TOO_NARROW.test(text) || (exponent !== undefined && fraction.length < Number(exponent));
}

/**
 * A value of a column of texts, such as telephone numbers: a number with a power of ten as its digits, or why these
 * are gone. All else stays as it is. docs/guides/import-columns.md#cells
 */
export function withItsDigits(text: string): { value: string } | { fault: string } {
  if (hasLostDigits(text)) return { fault: lostTold(text) };
  const { sign = "", whole = "", fraction = "", exponent } = SCIENTIFIC.exec(text)?.groups ?? {};
  if (exponent === undefined) return { value: text };
  const digits = whole + fraction.slice(0, Number(exponent));
  const rest = fraction.slice(Number(exponent)).replace(/0+$/, "");
  return { value: `${sign}${digits}${rest === "" ? "" : `.${rest}`}` };
}

export function lostTold(text: string): string {
  return `${quoted(text)} has lost its digits in a spreadsheet: write the number there as text, and export it anew`;
}
