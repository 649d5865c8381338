import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BODY_BYTES_MAX, LARGE_BODY_BYTES } from "../../../../config/limits.ts";
import { createAdmission, type RequestSlot } from "../../../../services/gateway/admission/admission.ts";
import type { Deadline } from "../../../../services/gateway/admission/deadline.ts";
import { collectBytes, readBody, receiveBody } from "../../../../services/gateway/operation/body.ts";
import { arrive } from "../admission/arrive.ts";

const MIB = 1024 * 1024;
/** What there is for one workspace. */
const ALL_BODY_BYTES = 4 * BODY_BYTES_MAX;
const FULL = { type: "SERVICE_UNAVAILABLE" };
const CUT_OFF = { type: "INVALID_REQUEST", message: expect.stringContaining("connection closed") };

/** A request as Node makes it, whose bytes the test pushes. */
function requestWith(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

const chunked = () => requestWith({ "transfer-encoding": "chunked" });
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** An event of a stream and what follows from it. */
const settled = async () => {
  for (let i = 0; i < 3; i += 1) await turn();
};

describe("The bytes of a body (docs/guides/limits.md#sizes)", () => {
  it("are held in one buffer, whose whole capacity is reserved, however many chunks they came in", () => {
    const sizes = fc.array(fc.oneof(fc.constant(1), fc.nat({ max: 70_000 })), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (lengths, isAnnounced) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1));
        const whole = Buffer.concat(chunks);
        let reserved = 0;
        const reserve = (bytes: number) => {
          reserved += bytes;
        };
        const collected = collectBytes(isAnnounced ? whole.length : undefined, { reserve });
        for (const chunk of chunks) {
          collected.add(chunk);
          expect(collected.bytes().buffer.byteLength).toBe(reserved);
        }
        expect(collected.bytes().equals(whole)).toBe(true);
        expect(reserved).toBeLessThanOrEqual(isAnnounced ? whole.length : Math.max(4096, 2 * whole.length));
      }),
    );
  });

  it("that come one by one are held as those that come at once", () => {
    const taken: number[] = [];
    const collected = collectBytes(undefined, { reserve: (bytes) => void taken.push(bytes) });
    const chunk = Buffer.from("x");
    for (let i = 0; i < MIB; i += 1) collected.add(chunk);
    expect(collected.bytes()).toHaveLength(MIB);
    expect(taken.reduce((sum, bytes) => sum + bytes, 0)).toBe(MIB);
    expect(taken.length).toBeLessThan(20);
  });

  it("take room as they arrive, not as a header announces them", () => {
    const taken: number[] = [];
    const collected = collectBytes(BODY_BYTES_MAX, { reserve: (bytes) => void taken.push(bytes) });
    collected.add(Buffer.alloc(100));
    expect(taken).toEqual([4096]);
  });
});

describe("A body (docs/guides/under-load.md)", () => {
  it("is no more once its client has gone, or was answered, before it was read: nobody waits for the rest", async () => {
    const place = arrive(createAdmission());
    const gone = chunked();
    gone.push(Buffer.from("{"));
    gone.destroy();
    await settled();
    await expect(readBody(gone, place)).rejects.toMatchObject(CUT_OFF);

    const leaving = chunked();
    const reading = readBody(leaving, place);
    // What Node says of a connection that closes. It must not look as if a service were away.
    leaving.destroy(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    await expect(reading).rejects.toMatchObject(CUT_OFF);

    const answered = chunked();
    answered.push(Buffer.from("{}"));
    answered.push(null);
    answered.resume();
    await settled();
    await expect(readBody(answered, place)).rejects.toMatchObject(CUT_OFF);
  });

  it("that finds no room is refused, and what comes of it afterwards is dropped", async () => {
    const admission = createAdmission();
    const other = arrive(admission);
    other.reserve(ALL_BODY_BYTES - 10_000);
    const place = arrive(admission);
    const request = chunked();
    const read = readBody(request, place);
    request.push(Buffer.alloc(20_000));
    await expect(read).rejects.toMatchObject(FULL);
    await Promise.all([place.leave(), other.leave()]);
    request.push(Buffer.alloc(20_000));
    await settled();
    expect(request.listenerCount("data")).toBe(0);
    expect(() => arrive(admission).reserve(ALL_BODY_BYTES)).not.toThrow();
  });

  /** A body that is read while others come, take half of all the room, and go. */
  function scene() {
    const admission = createAdmission();
    const place = arrive(admission);
    const request = chunked();
    let others = arrive(admission);
    let isOver = false;
    let isRead = false;
    return {
      read() {
        if (isRead) return;
        isRead = true;
        void readBody(request, place)
          .catch(() => undefined)
          .finally(() => {
            isOver = true;
            void place.leave();
          });
      },
      push(bytes: number) {
        if (!request.complete && !request.destroyed) request.push(Buffer.alloc(bytes, " "));
      },
      end() {
        if (request.complete || request.destroyed) return;
        request.complete = true;
        request.push(null);
      },
      abort: () => request.destroy(),
      leave: () => others.leave(),
      async arrive(left: number) {
        await others.leave();
        others = arrive(admission);
        others.reserve(Math.max(0, ALL_BODY_BYTES / 2 - left));
      },
      isOver: () => isOver,
      isEmpty: () => {
        arrive(admission).reserve(ALL_BODY_BYTES);
        return true;
      },
    };
  }

  it("holds nothing when its request is over, and is always either read or refused, in whatever order things happen", async () => {
    const step = fc.tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant("push" as const) },
        fc.constantFrom("read", "end", "abort", "leave", "arrive"),
      ),
      fc.nat({ max: 30_000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const body = scene();
        for (const [what, bytes] of steps) {
          await body[what](bytes);
          await turn();
        }
        body.read();
        await settled();
        // The connection closes at last.
        body.abort();
        await body.leave();
        await settled();
        expect(body.isOver()).toBe(true);
        expect(body.isEmpty()).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe("A body without a place among the uploads (docs/guides/under-load.md)", () => {
  const refused = new Error("There is no place");
  const place = {
    reserve: () => undefined,
    hasNoUpload: () => true,
    whileSending: () => Promise.reject(refused),
  } as unknown as RequestSlot;
  const deadline = { pause: () => undefined, resume: () => undefined } as unknown as Deadline;

  /** Sends the body after the server has begun to receive it, and gives the result. */
  async function received(headers: Record<string, string>) {
    const request = requestWith(headers);
    const result = receiveBody(request, { place, deadline }).catch((error: Error) => error);
    await settled();
    request.push("{}");
    request.push(null);
    request.complete = true;
    return result;
  }

  it("is taken when it is small and comes right behind its head", async () => {
    expect(await received({ "content-length": "2" })).toEqual({ body: {}, large: undefined });
  });

  it.each([
    ["is large", { "content-length": String(LARGE_BODY_BYTES + 1) }],
    ["has no length", { "transfer-encoding": "chunked" }],
    ["waits to be asked for", { "content-length": "2", expect: "100-continue" }],
  ])("is refused at once when it %s", async (_what, headers) => {
    expect(await received(headers)).toBe(refused);
  });
});
