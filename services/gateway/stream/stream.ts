import type { ServerResponse } from "node:http";
import type { EventType } from "../../../model/events.ts";
import type { StreamPlace } from "./places.queries.ts";

/**
 * When a reader is further behind than one of these, its stream ends, and it comes again with the last id.
 * docs/guides/event-feed.md#when-it-ends
 */
const BEHIND_EVENTS_MAX = 1000;
const BEHIND_BYTES_MAX = 1024 * 1024;

/** An open stream. There may be thousands in a process, so it holds little. */
export interface Stream {
  response: ServerResponse;
  apiKey: string;
  place: StreamPlace;
  /** Undefined: all. */
  types: readonly EventType[] | undefined;
  typesKey: string;
  /** All events up to here were written to it, or are not for it. */
  position: number;
  openedAt: number;
  /** When something was written to it last. */
  wroteAt: number;
  /** Events that were written and are not with the reader's system yet. */
  unflushed: number;
  isOver: boolean;
}

/** Writes an event to a stream. `now` is in milliseconds, on whatever clock. */
export function writeEvent(stream: Stream, frame: Buffer, now: number): void {
  if (stream.isOver) return;
  stream.wroteAt = now;
  stream.unflushed += 1;
  stream.response.write(frame, () => {
    stream.unflushed -= 1;
  });
}

/** Whether its reader does not keep up with what happens. */
export function isTooFarBehind({ unflushed, response }: Stream): boolean {
  return unflushed > BEHIND_EVENTS_MAX || response.writableLength > BEHIND_BYTES_MAX;
}

/**
 * Ends a stream. A reader that has read all of it sees a proper end; a connection on which something still waits is cut
 * off, since it might wait for long, and its reader knows the last event that it has got in whole.
 */
export function endStream(stream: Stream): void {
  if (stream.isOver) return;
  stream.isOver = true;
  if (stream.response.writableLength === 0) stream.response.end();
  else stream.response.destroy();
}

/** Waits until the reader has taken what was written, or has gone. */
export function taken({ response }: Stream): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.once("drain", go);
    response.once("close", go);
  });
}
