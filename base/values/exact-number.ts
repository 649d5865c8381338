declare const source: unique symbol;

/**
 * A JSON number that no double holds exactly, kept as it was written. At run time it is a text that begins with a mark,
 * which every bus can carry. To the compiler it is neither a text nor a number, so that no code takes it for one of
 * them.
 * docs/guides/values.md#numbers
 */
export interface ExactNumber {
  readonly [source]: string;
}

/** Number as a client may send it: JSON's own, or a text of digits. */
export type SentNumber = string | number | ExactNumber;

/**
 * The mark begins with half of a surrogate pair. A path, a query and a file cannot hold such a half, since they are
 * UTF-8, so nothing in them passes for an exact number. JSON can hold one, as an escape. So a text of JSON that begins
 * with the mark gets another half put in front when it is read (base/values/json.ts).
 */
const MARK = "\ud800#";

/** Value in the place of a JSON number that was written like this. */
export function exactNumber(written: string): ExactNumber {
  return (MARK + written) as unknown as ExactNumber;
}

/** True if a value holds a JSON number exactly as it was sent. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === "string" && value.startsWith(MARK);
}

/** The number as it was written. */
export function writtenOf(number: ExactNumber): string {
  return String(number).slice(MARK.length);
}
