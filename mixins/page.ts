import { type Page, pageRoom } from "../base/contract/page.ts";
import { type Static, Type } from "../base/contract/schema.ts";
import { jsonList } from "../base/values/json.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../config/limits.ts";

/**
 * Params of every list. A page begins behind the position `after`, which the gateway takes out of the query parameter
 * `cursor`; of the `next` of a page it makes the cursor of the next link. docs/guides/lists.md#pages
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

/**
 * A page of a list that is kept in memory.
 * @param sorted the whole list, ascending by uuid, which is the order of creation
 * @param textOf makes of an entry the JSON text that the answer shows of it
 */
export function pageOf<Item extends { uuid: string }>(
  sorted: Item[],
  { limit = PAGE_LIMIT_DEFAULT, after }: PageParams,
  textOf: (item: Item) => string,
): Page {
  const rest = after === undefined ? sorted : sorted.filter(({ uuid }) => uuid > after);
  const fits = pageRoom();
  const texts: string[] = [];
  for (const item of rest.slice(0, limit)) {
    const text = textOf(item);
    if (!fits(text)) break;
    texts.push(text);
  }
  const next = texts.length < rest.length ? rest[texts.length - 1]?.uuid : undefined;
  return { items: jsonList(texts), next: next ?? null };
}
