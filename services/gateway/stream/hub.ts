import type { Uuid } from "../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import type { EventBatch } from "../../../engine/feed/read-all-events.ts";
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
   * Reads what is new in workspaces that have streams, and tells it. True when there is more.
   * @param woken the workspaces in which something has happened; undefined when it may be any
   */
  read(woken?: ReadonlySet<Uuid>): Promise<boolean>;
}

interface Parts {
  readBatch(after: ReadonlyMap<Uuid, number>): Promise<Map<Uuid, EventBatch>>;
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
  makeFrames: FrameMaker;
  end(stream: Stream): void;
  now(): number;
}

/** One reader of events for all streams of a process. It reads only for workspaces that have streams. */
export function createHub({ readBatch, definitionsCache, ...parts }: Parts): Hub {
  const audience = createAudience(parts);
  /** Workspace → all its events up to here were passed to its streams. */
  const positions = new Map<Uuid, number>();

  function join(stream: Stream): boolean {
    const { workspaceId } = stream.place;
    const position = positions.get(workspaceId);
    if (position !== undefined && stream.position < position) return false;
    if (position === undefined) positions.set(workspaceId, stream.position);
    audience.add(stream);
    return true;
  }

  function leave(stream: Stream): void {
    audience.remove(stream);
    if (!audience.has(stream.place.workspaceId)) positions.delete(stream.place.workspaceId);
  }

  async function read(woken?: ReadonlySet<Uuid>): Promise<boolean> {
    const asked = new Map([...positions].filter(([id]) => woken?.has(id) ?? true));
    if (asked.size === 0) return false;
    const isEnough = countWritten();
    let hasMore = false;
    for (const [workspaceId, batch] of await readBatch(asked)) {
      const from = asked.get(workspaceId) ?? 0;
      if (batch.through < from) {
        // A backup was restored, or a failover has lost commits, and positions are assigned again. A client that
        // reconnects begins at the end.
        audience.endAll(workspaceId);
        continue;
      }
      const isTold = await tell(workspaceId, from, batch, isEnough);
      hasMore ||= isTold ? batch.isFull : positions.has(workspaceId);
    }
    return hasMore;
  }

  /**
   * Tells the events of a workspace in several turns of the event loop. Its position goes along event by event, so that
   * streams may join between two turns. False when all its streams have left, and perhaps others have come.
   */
  async function tell(
    workspaceId: Uuid,
    from: number,
    { events, version, through }: EventBatch,
    isEnough: (written: Written) => boolean,
  ): Promise<boolean> {
    const isAt = (position: number) => positions.get(workspaceId) === position;
    const definitions = events.length > 0 ? await definitionsCache.atLeast(workspaceId, version) : null;
    const reached = definitions && isAt(from) ? await tellEach(workspaceId, events, definitions, isEnough) : from;
    if (reached === null || !isAt(reached)) return false;
    positions.set(workspaceId, through);
    return true;
  }

  /** Gives the position of the last event; null when all streams have left in between. */
  async function tellEach(
    workspaceId: Uuid,
    events: readonly PublishedEvent[],
    definitions: Definitions,
    isEnough: (written: Written) => boolean,
  ): Promise<number | null> {
    audience.endThoseBehind(workspaceId);
    for (const event of events) {
      const written = audience.tell(event, definitions);
      if (!audience.has(workspaceId)) return null;
      positions.set(workspaceId, event.position);
      if (!isEnough(written)) continue;
      await othersTurn();
      if (positions.get(workspaceId) !== event.position) return null;
      audience.endThoseBehind(workspaceId);
    }
    return positions.get(workspaceId) ?? null;
  }

  return { join, leave, read };
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
