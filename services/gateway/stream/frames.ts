import type { Caller } from "../../../base/contract/caller.ts";
import { payload } from "../../../engine/feed/payload.ts";
import { printPosition } from "../../../engine/feed/position.ts";
import type { SeenEvent } from "../../../engine/feed/sight.ts";
import { canonical } from "../operation/canonical.ts";
import type { CursorSeal } from "../response/cursor.ts";

const FEED_PATH = "/v1/events";

/** Beginning of a stream: the wait of a reader before it comes again, in milliseconds. */
export const BEGIN = Buffer.from("retry: 2000\n\n");
/** A comment, which tells reader and proxies that the connection lives. */
export const COMMENT = Buffer.from(":\n\n");

/** The bytes of one event for streams of a set of types, made once. */
export type Frames = (typesKey: string) => Buffer;

/** Makes the frames of an event as one user sees it. */
export type FrameMaker = (event: SeenEvent) => Frames;

/** Gives what makes frames of events. Their ids are cursors of the list. docs/guides/event-feed.md#the-stream */
export function createFrames(seal: CursorSeal, publicUrl: string): FrameMaker {
  return (event) => {
    const text = `event: ${event.type}\ndata: ${payload(event, publicUrl + FEED_PATH, publicUrl)}\n\n`;
    const binding = feedBinding(event);
    const frames = new Map<string, Buffer>();
    return (typesKey) => {
      let frame = frames.get(typesKey);
      if (!frame) {
        const cursor = seal.seal(printPosition({ position: event.position, typesKey }), binding);
        frame = Buffer.from(`id: ${cursor}\n${text}`);
        frames.set(typesKey, frame);
      }
      return frame;
    };
  };
}

/** Values that the cursors of a workspace's feed are bound to, the list's (operation/input.ts) and the stream's. */
export function feedBinding({ workspaceId }: Pick<Caller, "workspaceId">): string {
  return canonical([workspaceId, FEED_PATH, {}, []]);
}
