import { pageRoom } from "../../base/contract/page.ts";
import { openSlices } from "../../base/loop/slices.ts";
import { jsonList } from "../../base/values/json.ts";

/**
 * The JSON text of a page of these rows, or of the first ones that an answer has room for, and their number. The event
 * loop serves others in between. docs/guides/lists.md#pages
 * @param show turns a row into its part of the answer
 */
export async function textsOfPage<Thing>(
  things: Thing[],
  show: (thing: Thing) => unknown,
): Promise<{ items: string; count: number }> {
  const slices = openSlices();
  const fits = pageRoom();
  const texts: string[] = [];
  for (const thing of things) {
    if (slices.isOver()) await slices.next();
    const text = JSON.stringify(show(thing));
    if (!fits(text)) break;
    texts.push(text);
  }
  return { items: jsonList(texts), count: texts.length };
}
