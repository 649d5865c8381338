import type { EventPage } from "../../../engine/feed/read-events.ts";
import type { FrameMaker } from "./frames.ts";
import type { Hub } from "./hub.ts";
import { type Stream, taken, writeEvent } from "./stream.ts";

interface Parts {
  hub: Pick<Hub, "join">;
  readPage(stream: Stream): Promise<EventPage>;
  makeFrames: FrameMaker;
  now(): number;
}

/** A stream that joins the hub has no more bytes under way than these, so that it has room for new events. */
const JOINING_BYTES_MAX = 64 * 1024;

/**
 * Tells a stream what has happened since its position, page by page as its reader takes them, until it joins the hub.
 * It joins in the turn of the event loop in which it sees that the hub has told nothing behind its position: so there
 * is no gap.
 * @param isAtEnd whether nothing had been published behind its position a moment ago. A stream that is not at the end
 *   never joins: a hub without streams would begin where this one is, and read old events for all.
 */
export async function catchUp(stream: Stream, isAtEnd: boolean, parts: Parts): Promise<void> {
  for (let isNear = isAtEnd; !stream.isOver && !(isNear && parts.hub.join(stream)); ) {
    isNear = await tellPage(stream, parts);
    if (!isNear) await taken(stream);
  }
}

/** Gives whether the stream may join after it: there is nothing more, and its reader has taken nearly all. */
async function tellPage(stream: Stream, { readPage, makeFrames, now }: Parts): Promise<boolean> {
  const { events, through, hasMore } = await readPage(stream);
  for (const event of events) writeEvent(stream, makeFrames(event)(stream.typesKey), now());
  stream.position = through;
  return !hasMore && stream.response.writableLength <= JOINING_BYTES_MAX;
}
