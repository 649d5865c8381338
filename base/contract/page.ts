import { PAGE_LENGTH_MAX } from "../../config/limits.ts";

/**
 * A page of a list: the JSON text of its items, and the position behind which the next page begins, null on the last
 * page.
 */
export interface Page {
  items: string;
  next: string | null;
  /**
   * Position to go on from later, for a list that goes on growing at its end. The answer then has a cursor beside
   * `pagination`.
   */
  cursor?: string;
}

/**
 * Gives the function that tells of each further entry whether the page still has room for its text. The first one fits
 * always, so that no walk stops. docs/guides/lists.md#pages
 */
export function pageRoom(): (text: string) => boolean {
  let length = 0;
  return (text) => {
    const isFirst = length === 0;
    length += text.length;
    return isFirst || length <= PAGE_LENGTH_MAX;
  };
}

/**
 * Removes the items from a page that is no longer needed, although promises of waiting code still refer to the page. If
 * a request has waited through two scavenges, they are in the old generation, and the texts would be copied there too
 * without being read again. With 20 clients that read pages of a hundred records, this copied every text and cost a
 * sixth of the throughput.
 */
export function takeItems(page: Page): string {
  const { items } = page;
  page.items = "";
  return items;
}
