import type { Caller } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { CURSOR_LENGTH_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { readPosition } from "../../../engine/feed/position.ts";
import { oldestTold, positionAt } from "../../../engine/feed/read-events.ts";
import type { EventType } from "../../../model/events.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { feedBinding } from "./frames.ts";

/** Parts of a request that decide on its stream: the params of the list, and the header `Last-Event-ID`. */
export interface StreamRequest {
  apiKey: string;
  lastEventId: string | undefined;
  types?: EventType[];
  since?: string;
  /** The position of the query's cursor, of whatever types. */
  after?: string;
}

/** Beginning of a stream. Null for now. docs/guides/event-feed.md#the-stream */
export interface Start {
  position: number;
  /** Only events that were made then or later, in milliseconds since 1970. */
  since?: number;
  /** Whether nothing was published behind it. */
  isEnd?: boolean;
}

/** @throws ApiError 422 for a `Last-Event-ID` that is not the id of a stream of this workspace */
export async function startOf(
  { seal, query }: { seal: CursorSeal; query: Query },
  caller: Caller,
  { lastEventId, after, since }: StreamRequest,
): Promise<Start | null> {
  // The id of an event is a cursor. A reader that comes again sends its query once more, so the header counts.
  const found = lastEventId ? openId(seal, caller, lastEventId) : after;
  if (found !== undefined) return { position: readPosition(found).position, since: oldestTold() };
  if (since === undefined) return null;
  const time = Math.max(oldestTold(), instantOfTimeOrDate(since) ?? 0);
  return { position: await positionAt(query, caller.workspaceId, time), since: time };
}

function openId(seal: CursorSeal, caller: Caller, id: string): string {
  const position = id.length > CURSOR_LENGTH_MAX ? null : seal.open(id, feedBinding(caller));
  if (position === null)
    throw unprocessable([
      custom(
        ["cursor"],
        "The Last-Event-ID is not the id of an event of this feed. Leave it out to begin with new events",
      ),
    ]);
  return position;
}
