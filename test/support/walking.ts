import type { Answer, Item } from "./client.ts";

/** Path and query of the next page; undefined behind the last one. */
export function nextPath({ nextLink }: Answer): string | undefined {
  return nextLink?.replace(/^https?:\/\/[^/]+/, "");
}

/** Cursor of the next page; the empty text behind the last one. */
export function cursorOf({ nextLink }: Answer): string {
  return nextLink === undefined ? "" : (new URL(nextLink).searchParams.get("cursor") ?? "");
}

/**
 * Pages of a list or a search from a path to the end.
 * @param ask sends the request for a path
 * @param between is done after each page, before the next one is asked for
 */
export async function walkPages(
  ask: (path: string) => Promise<Answer>,
  first: string,
  between: (answer: Answer, page: number) => Promise<unknown> = async () => undefined,
): Promise<Item[][]> {
  const pages: Item[][] = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const answer: Answer = await ask(path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    pages.push(answer.items);
    path = nextPath(answer);
    await between(answer, pages.length - 1);
  }
  return pages;
}
