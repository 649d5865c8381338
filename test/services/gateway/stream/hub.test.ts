import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../../engine/feed/published.ts";
import type { EventBatch } from "../../../../engine/feed/read-all-events.ts";
import type { Definitions } from "../../../../model/definitions/definitions.ts";
import type { EventBody } from "../../../../model/events.ts";
import { createEncryptedSeal } from "../../../../services/gateway/response/encrypted-cursor.ts";
import { catchUp } from "../../../../services/gateway/stream/catch-up.ts";
import { createFrames, type FrameMaker } from "../../../../services/gateway/stream/frames.ts";
import { createHub } from "../../../../services/gateway/stream/hub.ts";
import { endStream, type Stream } from "../../../../services/gateway/stream/stream.ts";
import { definitionsOf, groupOf, userOf } from "../../../support/made-definitions.ts";

// docs/guides/event-feed.md#when-it-ends
const MB = 1024 * 1024;
const [ada, bob, eve] = [userOf("ada@acme.test"), userOf("bob@acme.test"), userOf("eve@acme.test")];
const [open, secret] = [groupOf([], "public"), groupOf([[ada, "admin"]])];
const definitions = definitionsOf([ada, bob, eve], [open, secret]);
const { workspaceId } = definitions;

const eventAt = (position: number, body: EventBody = {}, of = workspaceId): PublishedEvent => ({
  position,
  workspaceId: of,
  id: newUuid(),
  type: "person.updated",
  recordId: newUuid(),
  body,
  sight: null,
});
const long = (bytes: number): EventBody => ({ details: { text: "x".repeat(bytes) } });

/** The result of a read for one workspace. */
const batchOf = (events: PublishedEvent[], { isFull = false, through = events.at(-1)?.position ?? 0 } = {}) =>
  new Map<Uuid, EventBatch>([[events[0]?.workspaceId ?? workspaceId, { events, through, version: 1, isFull }]]);

/** A stream of a user. Its reader takes nothing until it is told to, or everything in the next turn. */
function streamOf(userId: Uuid, position: number, takes: boolean, of = workspaceId): Stream & { got(): string } {
  const chunks: Buffer[] = [];
  const response = new Writable({
    highWaterMark: 16 * 1024,
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      if (takes) setImmediate(done);
    },
    writev: takes
      ? (all, done) => {
          for (const { chunk } of all) chunks.push(chunk);
          setImmediate(done);
        }
      : undefined,
  });
  return {
    // What a stream does with the answer to a request, it can do with any stream of bytes.
    response: response as unknown as Stream["response"],
    apiKey: "key",
    place: { workspaceId: of, userId, place: 1, id: newUuid() },
    types: undefined,
    typesKey: "",
    position,
    openedAt: 0,
    wroteAt: 0,
    unflushed: 0,
    isOver: false,
    got: () => Buffer.concat(chunks).toString(),
  };
}

/** A hub whose reads find these one after another, and nothing more in workspaces that are not among them. */
function hubOf(batches: { shift(): Map<Uuid, EventBatch> | undefined }, onRead: () => void = () => undefined) {
  const made: number[] = [];
  const asked: [Uuid, number][][] = [];
  const frames = createFrames(createEncryptedSeal(Buffer.from("x")), "http://test");
  const makeFrames: FrameMaker = (event) => {
    made.push(event.position);
    return frames(event);
  };
  const hub = createHub({
    async readBatch(after) {
      onRead();
      asked.push([...after]);
      await new Promise((resolve) => setImmediate(resolve));
      const found = batches.shift();
      const nothing = (through: number) => ({ events: [], through, version: 0, isFull: false });
      return new Map([...after].map(([id, from]) => [id, found?.get(id) ?? nothing(from)]));
    },
    definitionsCache: { atLeast: async (): Promise<Definitions> => definitions },
    makeFrames,
    end(stream) {
      endStream(stream);
      hub.leave(stream);
    },
    now: () => 0,
  });
  return { hub, made, asked };
}

describe("What one read finds", () => {
  it("is told in several turns, in which others get on and a reader that keeps up takes its events", async () => {
    const events = Array.from({ length: 20 }, (_, i) => eventAt(i + 1, long(100_000)));
    const { hub } = hubOf([batchOf(events)]);
    const stream = streamOf(ada.uuid, 0, true);
    hub.join(stream);
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns += 1;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    await hub.read();
    isReading = false;
    expect(turns).toBeGreaterThanOrEqual(5);
    expect([stream.isOver, stream.position]).toEqual([false, 20]);
  });

  it("ends a stream whose reader takes nothing when it holds a megabyte and one turn more, in the middle of the read", async () => {
    const events = Array.from({ length: 200 }, (_, i) => eventAt(i + 1, long(20_000)));
    const { hub } = hubOf([batchOf(events)]);
    const [slow, quick] = [streamOf(ada.uuid, 0, false), streamOf(ada.uuid, 0, true)];
    hub.join(slow);
    hub.join(quick);
    let most = 0;
    let isReading = true;
    const watch = () => {
      most = Math.max(most, slow.response.writableLength);
      if (isReading) setImmediate(watch);
    };
    setImmediate(watch);
    await hub.read();
    isReading = false;
    expect([slow.isOver, quick.isOver]).toEqual([true, false]);
    expect(slow.position).toBeLessThan(80);
    expect(most).toBeLessThan(1.4 * MB);
    expect(quick.position).toBe(200);
  });

  it("lets streams join in between, which get what is left and nothing twice", async () => {
    const events = Array.from({ length: 12 }, (_, i) => eventAt(i + 1, long(100_000)));
    const { hub } = hubOf([batchOf(events)]);
    const [first, early, late] = [
      streamOf(ada.uuid, 0, true),
      streamOf(bob.uuid, 1, true),
      streamOf(bob.uuid, 10, true),
    ];
    hub.join(first);
    const read = hub.read();
    for (let i = 0; first.position < 3 && i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(first.position).toBeLessThan(10);
    expect([hub.join(early), hub.join(late)]).toEqual([false, true]);
    await read;
    expect(late.got().match(/^event:/gm)?.length).toBe(2);
  });

  it("is not told on when all streams have left in between, and others have come that begin elsewhere", async () => {
    const events = Array.from({ length: 12 }, (_, i) => eventAt(i + 1, long(100_000)));
    const { hub } = hubOf([batchOf(events)]);
    const [first, next] = [streamOf(ada.uuid, 0, true), streamOf(ada.uuid, 1, true)];
    hub.join(first);
    const read = hub.read();
    for (let i = 0; first.position < 3 && i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
    hub.leave(first);
    expect(hub.join(next)).toBe(true);
    expect(await read).toBe(true);
    expect([next.position, next.got()]).toEqual([1, ""]);
  });

  it("is told to the streams of its workspace, also when those of another one have left in between", async () => {
    const elsewhere = newUuid();
    const events = Array.from({ length: 12 }, (_, i) => eventAt(i + 1, long(100_000)));
    const others = Array.from({ length: 3 }, (_, i) => eventAt(i + 21, {}, elsewhere));
    const { hub } = hubOf([new Map([...batchOf(events), ...batchOf(others)])]);
    const [first, other] = [streamOf(ada.uuid, 0, true), streamOf(ada.uuid, 20, true, elsewhere)];
    hub.join(first);
    hub.join(other);
    const read = hub.read();
    for (let i = 0; first.position < 3 && i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
    hub.leave(first);
    await read;
    expect([first.position < 12, other.position]).toEqual([true, 23]);
  });

  it("is told to be more when some workspace has more, and is read on where it ended", async () => {
    const elsewhere = newUuid();
    const full = batchOf([eventAt(1), eventAt(3)], { isFull: true, through: 4 });
    const { hub, asked } = hubOf([new Map([...full, ...batchOf([eventAt(21, {}, elsewhere)])])]);
    for (const stream of [streamOf(ada.uuid, 0, true), streamOf(ada.uuid, 20, true, elsewhere)]) hub.join(stream);
    expect([await hub.read(), await hub.read()]).toEqual([true, false]);
    expect(asked[1]).toEqual([
      [workspaceId, 4],
      [elsewhere, 21],
    ]);
  });

  it("ends the streams of a workspace alone whose events the database has lost", async () => {
    const elsewhere = newUuid();
    const { hub, asked } = hubOf([
      new Map([...batchOf([], { through: 90 }), ...batchOf([eventAt(101, {}, elsewhere)])]),
    ]);
    const [first, second, other] = [
      streamOf(ada.uuid, 100, true),
      streamOf(bob.uuid, 100, true),
      streamOf(ada.uuid, 100, true, elsewhere),
    ];
    for (const stream of [first, second, other]) hub.join(stream);
    expect(await hub.read()).toBe(false);
    expect([first, second, other].map(({ isOver }) => isOver)).toEqual([true, true, false]);
    expect(other.position).toBe(101);
    // One that comes again begins at the end.
    expect(hub.join(streamOf(ada.uuid, 90, true))).toBe(true);
    await hub.read();
    expect(asked.at(-1)).toEqual([
      [elsewhere, 101],
      [workspaceId, 90],
    ]);
  });
});

describe("A read", () => {
  it("asks for the workspaces that have streams, of those in which something has happened, and else for none", async () => {
    const elsewhere = newUuid();
    const { hub, asked } = hubOf([]);
    expect([await hub.read(), asked]).toEqual([false, []]);
    const [mine, other] = [streamOf(ada.uuid, 5, true), streamOf(ada.uuid, 8, true, elsewhere)];
    hub.join(mine);
    hub.join(other);
    await hub.read(new Set([elsewhere, newUuid()]));
    await hub.read(new Set([newUuid()]));
    await hub.read();
    hub.leave(other);
    await hub.read();
    expect(asked).toEqual([
      [[elsewhere, 8]],
      [
        [workspaceId, 5],
        [elsewhere, 8],
      ],
      [[workspaceId, 5]],
    ]);
  });
});

describe("A stream that is about to join", () => {
  /** Catches up in pages that are empty, up to these positions, one after another. */
  async function join(hub: ReturnType<typeof hubOf>["hub"], stream: Stream, ends: (page: number) => number) {
    let pages = 0;
    await catchUp(stream, true, {
      hub,
      async readPage() {
        pages += 1;
        await new Promise((resolve) => setImmediate(resolve));
        // Time enough has passed for it to have lost the race for ever.
        if (pages > 100) stream.isOver = true;
        return { events: [], through: ends(pages), hasMore: false };
      },
      makeFrames: createFrames(createEncryptedSeal(Buffer.from("x")), "http://test"),
      now: () => 0,
    });
    return pages;
  }

  it("joins at once where nobody reads yet, and those of other workspaces are of no account", async () => {
    const { hub } = hubOf([]);
    hub.join(streamOf(ada.uuid, 1000, true, newUuid()));
    const stream = streamOf(ada.uuid, 7, true);
    expect(await join(hub, stream, () => 0)).toBe(0);
    expect([stream.isOver, stream.position]).toEqual([false, 7]);
  });

  it("joins also while the hub reads for others of its workspace without a pause", async () => {
    let last = 0;
    // Each read finds one event of the workspace, and there are always more.
    const batches = { shift: () => batchOf([eventAt(++last)], { isFull: true }) };
    const { hub } = hubOf(batches);
    hub.join(streamOf(bob.uuid, 0, true));
    const stream = streamOf(ada.uuid, 0, true);
    let isReading = true;
    const reading = (async () => {
      while (isReading) await hub.read();
    })();
    await new Promise((resolve) => setTimeout(resolve, 10));
    // The end of the log, which is beyond where the hub is.
    const pages = await join(hub, stream, () => last + 1000);
    isReading = false;
    await reading;
    expect([stream.isOver, pages < 5]).toEqual([false, true]);
  });

  it("reads on by itself as long as the hub is further, and joins where the hub is", async () => {
    const { hub } = hubOf([]);
    hub.join(streamOf(bob.uuid, 30, true));
    const stream = streamOf(ada.uuid, 10, true);
    expect(await join(hub, stream, (page) => 10 + page * 10)).toBe(2);
    expect(stream.position).toBe(30);
  });

  it("gets no event that stood behind its place, and each one once", async () => {
    const { hub } = hubOf([batchOf([eventAt(32), eventAt(33), eventAt(34)])]);
    hub.join(streamOf(bob.uuid, 30, true));
    const ahead = streamOf(ada.uuid, 33, true);
    expect(hub.join(ahead)).toBe(true);
    await hub.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ahead.got().match(/^event:/gm)).toHaveLength(1);
  });
});

describe("The text of an event", () => {
  it("is made once for all who see the same of it, and once for each cut", async () => {
    const value = [{ id: open.id }, { id: secret.id }];
    const plain = eventAt(1, { changes: [{ path: ["jobTitle"], type: "set", value: "CTO" }] });
    const cut = eventAt(2, {
      changes: [
        { path: ["groups"], type: "add", value },
        { path: ["jobTitle"], type: "set" },
      ],
    });
    const visible = eventAt(3, { changes: [{ path: ["groups"], type: "add", value: value.slice(0, 1) }] });
    const { hub, made } = hubOf([batchOf([plain, cut, visible])]);
    const streams = [ada, bob, eve, eve].map(({ uuid }) => streamOf(uuid, 0, true));
    for (const stream of streams) hub.join(stream);
    await hub.read();
    expect(made).toEqual([1, 2, 2, 3]);
    for (const _ of [1, 2, 3]) await new Promise((resolve) => setImmediate(resolve));
    const [asAda, asBob, asEve] = streams.map((stream) => stream.got());
    expect([asAda?.includes(secret.id), asBob?.includes(secret.id)]).toEqual([true, false]);
    expect(asEve).toBe(asBob);
  });
});
