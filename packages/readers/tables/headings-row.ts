/** Whether a text is a usual heading. */
export type IsHeading = (text: string) => boolean;

/** Maximum number of rows that programs write before the headings. */
const PREAMBLE_ROWS_MAX = 20;

/**
 * Index of the row with the headings among the first rows: the first one, unless it is narrower than the rows of the
 * file and a later one has headings. Some programs write lines about the file before them.
 */
export function headingsRowOf(rows: string[][], isHeading: IsHeading = () => false): number {
  const knownIn = (row: string[]) => row.filter(isHeading).length;
  const width = usualWidth(rows);
  const [first = []] = rows;
  if (rows.length < 2 || filled(first) >= width) return 0;
  const found = rows
    .slice(1, PREAMBLE_ROWS_MAX + 1)
    .findIndex((row) => looksLikeHeadings(row, width) && knownIn(row) > 0);
  const known = knownIn(rows[found + 1] ?? []);
  if (found < 0 || known <= knownIn(first)) return 0;
  const isTitleOnly = rows.slice(0, found + 1).every((row) => filled(row) <= 1);
  return isTitleOnly || known > 1 ? found + 1 : 0;
}

/** Number of cells that most rows have, empty ones at the end included. */
function usualWidth(rows: string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([a, times], [b, others]) => others - times || b - a);
  return usual?.[0] ?? 0;
}

const filled = (row: string[]): number => row.filter((cell) => cell.trim() !== "").length;

/** Headings are as many as the cells of a row or nearly so, differ, and are neither numbers nor addresses. */
function looksLikeHeadings(row: string[], width: number): boolean {
  const cells = row.map((cell) => cell.trim()).filter((cell) => cell !== "");
  if (width < 2 || cells.length < 2 || cells.length * 2 < width) return false;
  if (cells.some((cell) => /^[\d\s.,/:+-]+$|@|:\/\//.test(cell))) return false;
  return new Set(cells).size * 4 >= cells.length * 3;
}
