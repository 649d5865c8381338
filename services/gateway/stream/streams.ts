import type { ServerResponse } from "node:http";
import type { Service } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError, unavailable } from "../../../base/contract/errors.ts";
import type { PollingOptions } from "../../../base/jobs/polling.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { EVENT_STREAMS_MAX, EVENT_STREAMS_OF_USER_MAX } from "../../../config/limits.ts";
import { typesKeyOf } from "../../../engine/feed/position.ts";
import { readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { type EventSource, readEvents } from "../../../engine/feed/read-events.ts";
import type { CursorSeal } from "../response/cursor.ts";
import type { Reply } from "../response/reply.ts";
import { catchUp } from "./catch-up.ts";
import { BEGIN, createFrames } from "./frames.ts";
import { createHub } from "./hub.ts";
import { createKeyWatch } from "./key-watch.ts";
import { type StreamPlace, takePlace } from "./places.queries.ts";
import { createRegistry } from "./registry.ts";
import { type Start, type StreamRequest, startOf } from "./start.ts";
import type { Stream } from "./stream.ts";
import { startUpkeep } from "./upkeep.ts";

/** Events of a page that a stream reads by itself. */
const PAGE_EVENTS = 100;
/** Time for which a place stays taken after its gateway was killed. */
const RETRY_AFTER_S = 30;

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  // Proxies like nginx then pass on everything at once.
  "X-Accel-Buffering": "no",
  // Nothing else comes on this connection, so it is closed with its stream.
  Connection: "close",
};

/** The streams of a gateway. docs/guides/event-feed.md#the-stream */
export interface Streams {
  /**
   * The answer that opens a stream.
   * @throws ApiError 422 for a Last-Event-ID of elsewhere, 429 when the user has as many as they may, 503 when the
   *   gateway has
   */
  open(caller: Caller, request: StreamRequest): Promise<Reply>;
  /** Reads at once: something has happened in these workspaces. */
  wake(workspaces: Iterable<Uuid>): void;
  /** Ends all streams, and those that are still being opened. */
  stop(): Promise<void>;
}

interface Parts {
  source: EventSource;
  seal: CursorSeal;
  publicUrl: string;
  identify(key: string): Promise<Caller | null> | Caller;
  logger: Pick<Service["logger"], "warn">;
  /** In milliseconds, on a clock that only goes forward. */
  now?: () => number;
  /** Maximum number of streams that are open here. */
  streamsMax?: number;
  /** Pause of work that is done at intervals. */
  pause?: PollingOptions["pause"];
}

export function createStreams(parts: Parts): Streams {
  const { source, seal, publicUrl, identify, logger, now = () => performance.now() } = parts;
  const { streamsMax = EVENT_STREAMS_MAX } = parts;
  const { query, definitionsCache } = source;
  const makeFrames = createFrames(seal, publicUrl);
  const registry = createRegistry(query, (stream) => {
    hub.leave(stream);
    keys.remove(stream);
  });
  const { end } = registry;
  const readBatch = readAllEvents.bind(null, query);
  const hub = createHub({ readBatch, definitionsCache, makeFrames, end, now });
  const keys = createKeyWatch({ identify, end, now });
  const upkeep = startUpkeep({ ...parts, registry, hub, keys, query, now });
  let isStopped = false;

  async function open(caller: Caller, request: StreamRequest): Promise<Reply> {
    if (registry.all.size >= streamsMax)
      throw unavailable("The server has as many open streams as it can serve at the moment. Try again.");
    const start = await startOf({ seal, query }, caller, request);
    const taken = await takePlace(query, caller, EVENT_STREAMS_OF_USER_MAX);
    if (!taken) throw tooMany();
    const from = start ?? { position: taken.lastPosition, isEnd: true };
    const begun = (response: ServerResponse) => begin(newStream(response, taken.place, request, from, now()), from);
    return { status: 200, body: "", headers: { ...HEADERS }, open: begun };
  }

  function begin(stream: Stream, { since, isEnd = false }: Start): void {
    const { response, place, types } = stream;
    registry.add(stream);
    keys.add(stream);
    response.once("close", () => end(stream));
    response.on("error", ignored);
    if (isStopped || response.destroyed) {
      end(stream);
      return;
    }
    response.write(BEGIN);
    const readPage = ({ position }: Stream) =>
      readEvents(source, place, { after: position, types, since, limit: PAGE_EVENTS });
    catchUp(stream, isEnd, { hub, readPage, makeFrames, now }).catch((error: Error) => {
      logger.warn("A stream of events ends, because its events could not be read:", error.message);
      end(stream);
    });
  }

  async function stop(): Promise<void> {
    isStopped = true;
    for (const stream of registry.all) end(stream);
    await Promise.all([upkeep.stop(), registry.freed()]);
  }

  return { open, wake: upkeep.wake, stop };
}

function newStream(
  response: ServerResponse,
  place: StreamPlace,
  { apiKey, types }: StreamRequest,
  { position }: Start,
  at: number,
): Stream {
  const typesKey = typesKeyOf(types);
  return { response, apiKey, place, types, typesKey, position, openedAt: at, wroteAt: at, unflushed: 0, isOver: false };
}

/** Listener for errors of a client that is gone: the stream ends with its connection. */
function ignored(): void {}

/** The 429 of a stream too many. It is not a rate limit, so it names no policies. */
function tooMany(): ApiError {
  const message = `You have ${EVENT_STREAMS_OF_USER_MAX} open streams of events, the maximum for one user. Close one of them. A stream whose client is gone ends by itself.`;
  return new ApiError("TOO_MANY_REQUESTS", message, undefined, { "Retry-After": String(RETRY_AFTER_S) });
}
