import type { Uuid } from "../../../base/values/ids.ts";
import type { EventBatch, VersionedEvent } from "../../../engine/feed/read-all-events.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../../model/definitions/definitions-cache.ts";
import { createAudience, type Written } from "./audience.ts";
import type { FrameMaker } from "./frames.ts";
import type { Stream } from "./stream.ts";

/**
 * Number of writes in a turn of the event loop, to all streams together, after which other work has a turn. A stream
 * whose reader takes nothing holds no more than this, and the event with which it was reached, beyond the limit at
 * which it ends.
 */
const WRITES_PER_TURN = 500;
const BYTES_PER_TURN = 256 * 1024;

/** Tells events to all streams of a gateway that have caught up. */
export interface Hub {
  /**
   * Takes a stream in, from its position on. False when events behind that position may have been told already: then
   * the stream has to read on by itself.
   */
  join(stream: Stream): boolean;
  leave(stream: Stream): void;
  /**
   * Has the next reads ask for events of a workspace too, for a stream that is about to join; otherwise it might come
   * always in the middle of a read of others. Gives a function that ends it.
   */
  expect(workspaceId: Uuid): () => void;
  /** Reads what is new and tells it. True when there is more. */
  read(): Promise<boolean>;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
}

interface Parts {
  readBatch(after: number, workspaces: Iterable<Uuid>): Promise<EventBatch>;
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
  makeFrames: FrameMaker;
  end(stream: Stream): void;
  now(): number;
}

/**
 * One reader of events for all streams of a process. It reads only while there are streams, and only what happens in
 * their workspaces.
 */
export function createHub({ readBatch, definitionsCache, ...parts }: Parts): Hub {
  const audience = createAudience(parts);
  /** All events up to here were passed to the streams. Null while there are no streams. */
  let position: number | null = null;
  const expected = new Map<symbol, Uuid>();
  /** Read that is under way, with the workspaces whose events it reads. */
  let reading: { workspaces: Set<Uuid>; done: Promise<unknown> } | undefined;

  function join(stream: Stream): boolean {
    if (position !== null && stream.position < position) return false;
    // A read for others that is under way would skip the events of this one.
    if (reading && !reading.workspaces.has(stream.place.workspaceId)) return false;
    position ??= stream.position;
    audience.add(stream);
    return true;
  }

  function leave(stream: Stream): void {
    audience.remove(stream);
    if (audience.isEmpty()) position = null;
  }

  function expect(workspaceId: Uuid): () => void {
    const one = Symbol();
    expected.set(one, workspaceId);
    return () => expected.delete(one);
  }

  async function read(): Promise<boolean> {
    if (position === null) return false;
    const asked = new Set([...audience.workspaces(), ...expected.values()]);
    const work = readAndTell(position, asked);
    reading = { workspaces: asked, done: work };
    try {
      return await work;
    } finally {
      reading = undefined;
    }
  }

  async function readAndTell(from: number, asked: Set<Uuid>): Promise<boolean> {
    const batch = await readBatch(from, asked);
    const found = await definitionsCacheOf(batch.events);
    // All streams have left in the meantime, and new ones may begin elsewhere.
    if (position !== from) return position !== null;
    if (batch.through < from) {
      // A backup was restored, or a failover has lost commits, and positions are assigned again. A client that
      // reconnects begins at the end.
      audience.endAll();
      return false;
    }
    if (!(await tellAll(batch.events, found))) return position !== null;
    position = batch.through;
    return batch.isFull;
  }

  /**
   * The definitions of each workspace that has events; those of a workspace that was removed are of no use to anybody.
   */
  async function definitionsCacheOf(events: VersionedEvent[]): Promise<Map<Uuid, Definitions>> {
    const versions = new Map(events.map(({ workspaceId, version }) => [workspaceId, version]));
    const entries = await Promise.all(
      [...versions].map(async ([id, version]) => [id, await definitionsCache.atLeast(id, version)] as const),
    );
    return new Map(entries);
  }

  /**
   * Tells events in several turns of the event loop. The position goes along event by event, so that streams may join
   * between two turns. False when all streams have left, and perhaps others have come.
   */
  async function tellAll(events: VersionedEvent[], found: Map<Uuid, Definitions>): Promise<boolean> {
    const isEnough = countWritten();
    audience.endThoseBehind(found.keys());
    for (const event of events) {
      const definitions = found.get(event.workspaceId);
      // Each workspace of an event has its definitions.
      if (position === null || !definitions) return false;
      const written = audience.tell(event, definitions);
      position = event.position;
      if (!isEnough(written)) continue;
      await othersTurn();
      if (position !== event.position) return false;
      audience.endThoseBehind(found.keys());
    }
    return position !== null;
  }

  const settled = async () => {
    await reading?.done.catch(() => undefined);
  };
  return { join, leave, expect, read, settled };
}

/** Counts the output of a turn. Returns true when it is enough, and then starts again. */
function countWritten(): (written: Written) => boolean {
  let turn: Written = { writes: 0, bytes: 0 };
  return ({ writes, bytes }) => {
    turn = { writes: turn.writes + writes, bytes: turn.bytes + bytes };
    const isEnough = turn.writes >= WRITES_PER_TURN || turn.bytes >= BYTES_PER_TURN;
    if (isEnough) turn = { writes: 0, bytes: 0 };
    return isEnough;
  };
}

/** Lets everything else that waits have its turn: sockets, timers, requests. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
