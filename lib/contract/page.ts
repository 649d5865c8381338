/** A page of a list: the JSON text of its items, and the position after which the next page begins, null on the last. */
export interface Page {
  items: string;
  next: string | null;
}
