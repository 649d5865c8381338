import type MiniSearch from "minisearch";

/** A section that was found, by its place in the list. */
interface Found {
  id: number;
  /** Words of the index that it was found by, without a plural "s". */
  terms: string[];
  /** False if no section has all words of the query. */
  hasAll: boolean;
}

export function createFinder(
  library: typeof MiniSearch,
  sections: { heading?: string; chapter: string; prose: string; code: string; weight?: number }[],
): (text: string) => Found[];
