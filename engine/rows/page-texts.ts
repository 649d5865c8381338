import { pageRoom } from "../../base/contract/page.ts";
import { openSlices } from "../../base/loop/slices.ts";

/**
 * The JSON text of a page of these things, or of as many of the first of them as an answer has room for, and how many
 * these are. The event loop serves others in between. docs/guides/lists.md#pages
 * @param show makes of a thing what the answer shows of it
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
  return { items: `[${texts.join(",")}]`, count: texts.length };
}
