/**
 * JSON numbers that a double cannot hold travel as this mark and their source text (lib/values/json.ts). No text that a
 * client may send begins with NUL, so the two cannot be mistaken.
 */
export const EXACT_NUMBER_MARK = "\u0000#";

/** Whether a value stands for a JSON number that was kept as written. */
export function isExactNumber(value: unknown): boolean {
  return typeof value === "string" && value.startsWith(EXACT_NUMBER_MARK);
}
