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
 */
export async function catchUp(stream: Stream, { hub, readPage, makeFrames, now }: Parts): Promise<void> {
  while (!stream.isOver && !hub.join(stream)) {
    await hub.settled();
    for (let hasMore = true; hasMore && !stream.isOver; ) {
      const page = await readPage(stream);
      for (const event of page.events) writeEvent(stream, makeFrames(event)(stream.typesKey), now());
      stream.position = page.through;
      hasMore = page.hasMore || stream.response.writableLength > JOINING_BYTES_MAX;
      if (hasMore) await taken(stream);
    }
  }
}
