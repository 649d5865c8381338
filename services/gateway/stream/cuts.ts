import type { Uuid } from "../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { isSameSight, type SeenEvent, seenBy } from "../../../engine/feed/sight.ts";
import type { Catalog } from "../../../model/definitions/catalog.ts";
import type { FrameMaker, Frames } from "./frames.ts";

/**
 * Gives the frames of one event for each of the users who may see it; null for a user who sees nothing of it. Nothing
 * in a frame belongs to a user, so users who see the same of the event share its frames, and its text is made once for
 * all of them.
 */
export function createCuts(
  event: PublishedEvent,
  catalog: Catalog,
  makeFrames: FrameMaker,
): (userId: Uuid) => Frames | null {
  const cuts: { seen: SeenEvent; frames: Frames }[] = [];
  return (userId) => {
    const seen = seenBy(event, { catalog, userId });
    if (!seen) return null;
    const known = cuts.find((cut) => isSameSight(cut.seen, seen));
    if (known) return known.frames;
    const frames = makeFrames(seen);
    cuts.push({ seen, frames });
    return frames;
  };
}
