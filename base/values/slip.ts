/**
 * Whether two texts differ by exactly one slip of the pen: a character more, fewer or other, or two neighbours swapped.
 * False for equal texts. Characters are code points. docs/guides/duplicates.md#names
 */
export function isSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > UNITS_MAX) return false;
  const [a, b] = [Array.from(one), Array.from(other)];
  const shared = Math.min(a.length, b.length);
  let start = 0;
  while (start < shared && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shared - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.length - start - end, b.length - start - end];
  if (left + right === 1 || (left === 1 && right === 1)) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

/** Code units of one character. */
const UNITS_MAX = 2;
