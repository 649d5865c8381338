/** A page of a list: the JSON text of its items, and the position behind which the next page begins, null on the last page. */
export interface Page {
  items: string;
  next: string | null;
}
