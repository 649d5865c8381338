import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../config/limits.ts";
import type { Page } from "../lib/contract/page.ts";
import { type Static, Type } from "../lib/contract/schema.ts";

/**
 * Params of every list. The gateway makes `after` of the query parameter `cursor`, and a cursor of the page's `next`.
 * API document, "Pagination".
 */
export const pageParams = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      description: "Records of the page",
    }),
  ),
  after: Type.Optional(Type.String()),
};

const pageSchema = Type.Object(pageParams);
export type PageParams = Static<typeof pageSchema>;

/** A page of a list that is in memory, sorted by the uuid of its entries. */
export function pageOf<Item extends { uuid: string }>(
  sorted: Item[],
  { limit = PAGE_LIMIT_DEFAULT, after }: PageParams,
  show: (item: Item) => unknown,
): Page {
  const rest = after === undefined ? sorted : sorted.filter(({ uuid }) => uuid > after);
  const page = rest.slice(0, limit);
  return { items: JSON.stringify(page.map(show)), next: rest.length > limit ? (page.at(-1)?.uuid ?? null) : null };
}
