import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import type { EventBatch, VersionedEvent } from "../../../../engine/feed/read-all-events.ts";
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

const eventAt = (position: number, body: EventBody = {}): VersionedEvent => ({
  position,
  workspaceId,
  id: newUuid(),
  type: "person.updated",
  recordId: newUuid(),
  body,
  sight: null,
  version: 1,
});
const long = (bytes: number): EventBody => ({ details: { text: "x".repeat(bytes) } });

/** A stream of a user. Its reader takes nothing until it is told to, or everything in the next turn. */
function streamOf(userId: Uuid, position: number, takes: boolean): Stream & { got(): string } {
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
    place: { workspaceId, userId, place: 1, id: newUuid() },
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

function hubOf(batches: { shift(): EventBatch | undefined }, onRead: () => void = () => undefined) {
  const made: number[] = [];
  const frames = createFrames(createEncryptedSeal(Buffer.from("x")), "http://test");
  const makeFrames: FrameMaker = (event) => {
    made.push(event.position);
    return frames(event);
  };
  const hub = createHub({
    async readBatch(after) {
      onRead();
      await new Promise((resolve) => setImmediate(resolve));
      return batches.shift() ?? { events: [], through: after, isFull: false };
    },
    definitionsCache: { atLeast: async (): Promise<Definitions> => definitions },
    makeFrames,
    end(stream) {
      endStream(stream);
      hub.leave(stream);
    },
    now: () => 0,
  });
  return { hub, made };
}

describe("What one read finds", () => {
  it("is told in several turns, in which others get on and a reader that keeps up takes its events", async () => {
    const events = Array.from({ length: 20 }, (_, i) => eventAt(i + 1, long(100_000)));
    const { hub } = hubOf([{ events, through: 20, isFull: false }]);
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
    const { hub } = hubOf([{ events, through: 200, isFull: false }]);
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
    const { hub } = hubOf([{ events, through: 12, isFull: false }]);
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
    const { hub } = hubOf([{ events, through: 12, isFull: false }]);
    const [first, next] = [streamOf(ada.uuid, 0, true), streamOf(ada.uuid, 1, true)];
    hub.join(first);
    const read = hub.read();
    for (let i = 0; first.position < 3 && i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
    hub.leave(first);
    expect(hub.join(next)).toBe(true);
    expect(await read).toBe(true);
    expect(next.position).toBe(1);
  });
});

describe("A stream that is about to join", () => {
  it("joins also while the hub reads for others without a pause", async () => {
    let last = 0;
    let end: (() => void) | undefined;
    // Each read finds one event of the workspace, and there are always more.
    const batches = { shift: () => ({ events: [eventAt(++last)], through: last, isFull: true }) };
    const { hub } = hubOf(batches, () => end?.());
    const other = streamOf(ada.uuid, 0, true);
    other.place.workspaceId = newUuid();
    hub.join(other);
    const stream = streamOf(ada.uuid, 0, true);
    let isReading = true;
    const reading = (async () => {
      while (isReading) await hub.read();
    })();
    let pages = 0;
    end = () => {
      // Time enough has passed for it to have lost the race for ever.
      if (pages > 100) stream.isOver = true;
    };
    await catchUp(stream, true, {
      hub,
      async readPage() {
        pages += 1;
        await new Promise((resolve) => setImmediate(resolve));
        // The end of the log, which is beyond where the hub is.
        return { events: [], through: last + 1000, hasMore: false };
      },
      makeFrames: createFrames(createEncryptedSeal(Buffer.from("x")), "http://test"),
      now: () => 0,
    });
    isReading = false;
    await reading;
    expect([stream.isOver, pages < 5]).toEqual([false, true]);
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
    const { hub, made } = hubOf([{ events: [plain, cut, visible], through: 3, isFull: false }]);
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
