import { type Access, askJson } from "../../harness/api.ts";
import { PUBLIC_URL } from "./side.ts";

/** A page of the list of people. */
export interface Page<Item = { id: string }> {
  /** Path and query of the request for it. */
  path: string;
  items: Item[];
}

/** The list of people in pages of a hundred, from the first one on. */
export async function* pagesOf<Item>(at: Access): AsyncGenerator<Page<Item>> {
  let next: string | undefined = `${PUBLIC_URL}/v1/people?limit=100`;
  while (next !== undefined) {
    const path: string = next.slice(PUBLIC_URL.length);
    const list = await askJson<{ items: Item[]; pagination: { nextLink?: string } }>(at, "GET", path);
    yield { path, items: list.items };
    next = list.pagination.nextLink;
  }
}
