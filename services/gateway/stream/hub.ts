import type { Catalog } from "../../../lib/catalog/catalog.ts";
import type { Catalogs } from "../../../lib/catalog/catalogs.ts";
import type { EventBatch, VersionedEvent } from "../../../lib/feed/read-all-events.ts";
import { seenBy } from "../../../lib/feed/sight.ts";
import type { Uuid } from "../../../lib/values/ids.ts";
import type { FrameMaker, Frames } from "./frames.ts";
import { isTooFarBehind, type Stream, writeEvent } from "./stream.ts";

/** Tells events to all streams of a gateway that have caught up. */
export interface Hub {
  /**
   * Takes a stream in, from its position on. False when events behind that position may have been told already: then the stream has
   * to read on by itself.
   */
  join(stream: Stream): boolean;
  leave(stream: Stream): void;
  /** Reads what is new and tells it. True when there is more. */
  read(): Promise<boolean>;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
}

interface Parts {
  readBatch(after: number, workspaces: Iterable<Uuid>): Promise<EventBatch>;
  catalogs: Pick<Catalogs, "atLeast">;
  makeFrames: FrameMaker;
  end(stream: Stream): void;
  now(): number;
}

/** The streams of a workspace by their users, so that sight and text are made once for each user. */
type Users = Map<Uuid, Set<Stream>>;

/**
 * One reader of events for all streams of a process. It reads only while there are streams, and only what happens in their
 * workspaces.
 */
export function createHub({ readBatch, catalogs, makeFrames, end, now }: Parts): Hub {
  const workspaces = new Map<Uuid, Users>();
  /** All events up to here were told. Null while there are no streams. */
  let position: number | null = null;
  /** Of the read that is under way: whose events it reads. */
  let reading: { workspaces: Set<Uuid>; done: Promise<unknown> } | undefined;

  function join(stream: Stream): boolean {
    const { workspaceId, userId } = stream.place;
    if (position !== null && stream.position < position) return false;
    // What is being read for others would be passed over for this one.
    if (reading && !reading.workspaces.has(workspaceId)) return false;
    position ??= stream.position;
    const users: Users = workspaces.get(workspaceId) ?? new Map();
    workspaces.set(workspaceId, users);
    users.set(userId, (users.get(userId) ?? new Set()).add(stream));
    return true;
  }

  function leave(stream: Stream): void {
    const { workspaceId, userId } = stream.place;
    const users = workspaces.get(workspaceId);
    const streams = users?.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) users?.delete(userId);
    if (users?.size === 0) workspaces.delete(workspaceId);
    if (workspaces.size === 0) position = null;
  }

  async function read(): Promise<boolean> {
    if (position === null) return false;
    const asked = new Set(workspaces.keys());
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
    const found = await catalogsOf(batch.events);
    // All streams have left meanwhile, and others may have come that begin elsewhere.
    if (position !== from) return position !== null;
    for (const workspaceId of found.keys()) endThoseBehind(workspaceId);
    for (const event of batch.events) {
      const catalog = found.get(event.workspaceId);
      if (catalog) tell(event, catalog);
    }
    position = workspaces.size === 0 ? null : batch.through;
    return batch.isFull;
  }

  /** The catalog of each workspace that has events; those of a workspace that was removed are of no use to anybody. */
  async function catalogsOf(events: VersionedEvent[]): Promise<Map<Uuid, Catalog>> {
    const versions = new Map(events.map(({ workspaceId, version }) => [workspaceId, version]));
    const entries = await Promise.all(
      [...versions].map(async ([id, version]) => [id, await catalogs.atLeast(id, version)] as const),
    );
    return new Map(entries);
  }

  /**
   * It is judged by what earlier reads have written. What one read finds is written in one turn of the event loop, in which no reader
   * can take anything, however quick it is.
   */
  function endThoseBehind(workspaceId: Uuid): void {
    const streams = [...(workspaces.get(workspaceId)?.values() ?? [])].flatMap((ofUser) => [...ofUser]);
    for (const stream of streams) if (isTooFarBehind(stream)) end(stream);
  }

  function tell(event: VersionedEvent, catalog: Catalog): void {
    for (const [userId, streams] of workspaces.get(event.workspaceId) ?? []) {
      const seen = seenBy(event, { catalog, userId });
      const frames = seen && makeFrames(seen);
      for (const stream of streams) tellOne(stream, event, frames);
    }
  }

  /** @param frames null when its user sees nothing of the event */
  function tellOne(stream: Stream, { type, position: at }: VersionedEvent, frames: Frames | null): void {
    if (at <= stream.position) return;
    stream.position = at;
    if (!frames || (stream.types && !stream.types.includes(type))) return;
    writeEvent(stream, frames(stream.typesKey), now());
  }

  const settled = async () => {
    await reading?.done.catch(() => undefined);
  };
  return { join, leave, read, settled };
}
