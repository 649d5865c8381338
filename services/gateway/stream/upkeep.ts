import { setTimeout as pauseFor } from "node:timers/promises";
import type { Service } from "moleculer";
import { type PollingOptions, startPolling } from "../../../base/jobs/polling.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { EVENT_STREAM_MS_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { COMMENT } from "./frames.ts";
import type { Hub } from "./hub.ts";
import type { KeyWatch } from "./key-watch.ts";
import { renewPlaces } from "./places.queries.ts";
import type { Registry } from "./registry.ts";

/** Interval at which events are read without a wake-up, comments are due, and places and keys are looked after. */
const READ_MS = 1000;
const BEAT_MS = 5000;
const RENEW_MS = 10_000;
const KEYS_MS = 10_000;
/** Rest after a read, so that the events of a burst go together. The first one does not wait. */
const REST_MS = 10;
/** Silence after which a stream gets a comment at the next beat, after 15 s at most. */
const QUIET_MS = 9000;

interface Parts {
  registry: Registry;
  hub: Pick<Hub, "read">;
  keys: Pick<KeyWatch, "check" | "endUntrusted">;
  query: Query;
  logger: Pick<Service["logger"], "warn">;
  /** In milliseconds, on a clock that only goes forward. */
  now(): number;
  pause?: PollingOptions["pause"];
}

/** Regular work for open streams. Each of the four parts goes on when another one waits for the database. */
export interface Upkeep {
  /** Reads the events of these workspaces at once. */
  wake(workspaces: Iterable<Uuid>): void;
  stop(): Promise<void>;
}

export function startUpkeep(parts: Parts): Upkeep {
  const { registry, hub, keys, query, logger, now, pause } = parts;
  const every = (everyMs: number, what: string, work: () => Promise<boolean> | Promise<void>) =>
    startPolling({
      everyMs,
      laterFirst: true,
      work: async () => (await work()) === true,
      onFailure: (error) => logger.warn(`${what} failed:`, error.message),
      ...(pause && { pause }),
    });
  const woken = new Set<Uuid>();
  let isAllDue = -Infinity;

  async function read(): Promise<boolean> {
    const isAll = now() >= isAllDue;
    if (isAll) isAllDue = now() + READ_MS;
    const asked = new Set(woken);
    woken.clear();
    const hasMore = await hub.read(isAll ? undefined : asked);
    // A workspace that has more is read without a wake-up.
    if (hasMore) isAllDue = -Infinity;
    else if (asked.size > 0) await pauseFor(REST_MS);
    return hasMore;
  }

  const reading = every(READ_MS, "Reading events for streams", read);
  const polls = [
    reading,
    every(BEAT_MS, "Writing comments into streams", async () => {
      keys.endUntrusted();
      beat(registry, now());
    }),
    every(RENEW_MS, "Renewing the places of streams", () => renew(registry, query)),
    every(KEYS_MS, "Looking after the keys of streams", keys.check),
  ];
  return {
    wake(workspaces) {
      for (const workspaceId of workspaces) woken.add(workspaceId);
      reading.wake();
    },
    async stop() {
      await Promise.all(polls.map((poll) => poll.stop()));
    },
  };
}

/** Ends old streams, and writes comments into quiet ones. */
function beat(registry: Registry, now: number): void {
  for (const stream of registry.all) {
    if (now - stream.openedAt >= EVENT_STREAM_MS_MAX) registry.end(stream);
    // A client that does not read gets no comments, so that a connection on which nothing moves is closed like any
    // other.
    else if (now - stream.wroteAt >= QUIET_MS && stream.response.writableLength === 0) {
      stream.wroteAt = now;
      stream.response.write(COMMENT);
    }
  }
}

/**
 * Renews the places of streams. A stream ends if another one has got its place because it could not be renewed in time.
 */
async function renew(registry: Registry, query: Query): Promise<void> {
  const held = [...registry.all];
  if (held.length === 0) return;
  const renewed = await renewPlaces(
    query,
    held.map(({ place }) => place),
  );
  for (const stream of held) if (!renewed.has(stream.place.id)) registry.end(stream);
}
