declare const source: unique symbol;

/**
 * A JSON number whose value no double has, as it was written. At run time it is a text behind a mark, which every bus can
 * carry; to the compiler it is neither a text nor a number, so that nobody takes it for one. docs/guides/conventions.md#numbers
 */
export interface ExactNumber {
  readonly [source]: string;
}

/** What a client may send for a number: JSON's own, or a text of digits. */
export type SentNumber = string | number | ExactNumber;

/**
 * Begins with half of a surrogate pair. Neither a path nor a query nor a file can hold one, since all three are UTF-8; only
 * JSON can, and there a text that begins with the mark gets another half in front (lib/values/json.ts).
 */
const MARK = "\ud800#";

/** Keeps the text of a number in the place of the number. */
export function exactNumber(written: string): ExactNumber {
  return (MARK + written) as unknown as ExactNumber;
}

/** Whether a value stands for a JSON number that was kept as written. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === "string" && value.startsWith(MARK);
}

/** The number as it was written. */
export function writtenOf(number: ExactNumber): string {
  return String(number).slice(MARK.length);
}
