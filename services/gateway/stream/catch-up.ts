import type { EventPage } from "../../../lib/feed/read-events.ts";
import type { FrameMaker } from "./frames.ts";
import type { Hub } from "./hub.ts";
import { type Stream, taken, writeEvent } from "./stream.ts";

interface Parts {
  hub: Pick<Hub, "join" | "settled">;
  readPage(stream: Stream): Promise<EventPage>;
  makeFrames: FrameMaker;
  now(): number;
}

/** Who joins the hub has no more bytes under way than these, so that it has room for what happens. */
const JOINING_BYTES_MAX = 64 * 1024;

/**
 * Tells a stream what has happened since its position, page by page as its reader takes them, until it joins the hub. It joins in
 * the turn of the event loop in which it sees that the hub has told nothing behind its position: so there is no gap.
 * @param isAtEnd whether nothing had been published behind its position a moment ago. A stream that is not at the end never joins:
 *   a hub without streams would begin where this one is, and read old events for all.
 */
export async function catchUp(stream: Stream, isAtEnd: boolean, parts: Parts): Promise<void> {
  const { hub } = parts;
  for (let isNear = isAtEnd; !stream.isOver && !(isNear && hub.join(stream)); ) {
    await hub.settled();
    const { hasMore } = await tellPage(stream, parts);
    isNear = !hasMore && stream.response.writableLength <= JOINING_BYTES_MAX;
    if (!isNear) await taken(stream);
  }
}

async function tellPage(stream: Stream, { readPage, makeFrames, now }: Parts): Promise<EventPage> {
  const page = await readPage(stream);
  for (const event of page.events) writeEvent(stream, makeFrames(event)(stream.typesKey), now());
  stream.position = page.through;
  return page;
}
