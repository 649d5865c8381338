import type { Uuid } from "../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { isSameSight, type SeenEvent, seenBy } from "../../../engine/feed/sight.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { FrameMaker, Frames } from "./frames.ts";
import { isTooFarBehind, type Stream, writeEvent } from "./stream.ts";

/** The streams that have caught up, by their workspaces. */
export interface Audience {
  add(stream: Stream): void;
  remove(stream: Stream): void;
  /** Whether a workspace has streams. */
  has(workspaceId: Uuid): boolean;
  /** Tells an event to all streams of its workspace that have not got it, and gives what was written. */
  tell(event: PublishedEvent, definitions: Definitions): Written;
  /**
   * Ends the streams of a workspace whose readers do not keep up, judged by the output of earlier turns of the
   * event loop: in the turn of a write, no reader can have taken it, however quick it is.
   */
  endThoseBehind(workspaceId: Uuid): void;
  endAll(workspaceId: Uuid): void;
}

/** Amount that was written to all streams together. */
export interface Written {
  writes: number;
  bytes: number;
}

interface Parts {
  makeFrames: FrameMaker;
  end(stream: Stream): void;
  now(): number;
}

/** The streams of a workspace by their users, so that what is seen of an event is found once for each user. */
type Users = Map<Uuid, Set<Stream>>;

export function createAudience({ makeFrames, end, now }: Parts): Audience {
  const byWorkspace = new Map<Uuid, Users>();
  const streamsOf = (id: Uuid) => [...(byWorkspace.get(id)?.values() ?? [])].flatMap((ofUser) => [...ofUser]);

  /**
   * Gives how many bytes were written.
   * @param frames null when its user sees nothing of the event
   */
  function tellOne(stream: Stream, { type, position: at }: PublishedEvent, frames: Frames | null): number {
    if (at <= stream.position) return 0;
    stream.position = at;
    if (!frames || (stream.types && !stream.types.includes(type))) return 0;
    const frame = frames(stream.typesKey);
    writeEvent(stream, frame, now());
    return frame.length;
  }

  return {
    add(stream) {
      const { workspaceId, userId } = stream.place;
      const users: Users = byWorkspace.get(workspaceId) ?? new Map();
      byWorkspace.set(workspaceId, users);
      users.set(userId, (users.get(userId) ?? new Set()).add(stream));
    },
    remove(stream) {
      const { workspaceId, userId } = stream.place;
      const users = byWorkspace.get(workspaceId);
      const streams = users?.get(userId);
      streams?.delete(stream);
      if (streams?.size === 0) users?.delete(userId);
      if (users?.size === 0) byWorkspace.delete(workspaceId);
    },
    has: (workspaceId) => byWorkspace.has(workspaceId),
    tell(event, definitions) {
      const written = { writes: 0, bytes: 0 };
      const framesOf = createCuts(event, definitions, makeFrames);
      for (const [userId, streams] of byWorkspace.get(event.workspaceId) ?? []) {
        const frames = framesOf(userId);
        for (const stream of streams) {
          // One that does not want the event takes time too.
          written.writes += 1;
          written.bytes += tellOne(stream, event, frames);
        }
      }
      return written;
    },
    endThoseBehind(workspaceId) {
      for (const stream of streamsOf(workspaceId)) if (isTooFarBehind(stream)) end(stream);
    },
    endAll(workspaceId) {
      for (const stream of streamsOf(workspaceId)) end(stream);
    },
  };
}

/**
 * Gives the frames of one event for each of the users who may see it; null for a user who sees nothing of it. Nothing
 * in a frame belongs to a user, so users who see the same of the event share its frames, and its text is made once for
 * all of them.
 */
function createCuts(
  event: PublishedEvent,
  definitions: Definitions,
  makeFrames: FrameMaker,
): (userId: Uuid) => Frames | null {
  const cuts: { seen: SeenEvent; frames: Frames }[] = [];
  return (userId) => {
    const seen = seenBy(event, { definitions, userId });
    if (!seen) return null;
    const known = cuts.find((cut) => isSameSight(cut.seen, seen));
    if (known) return known.frames;
    const frames = makeFrames(seen);
    cuts.push({ seen, frames });
    return frames;
  };
}
