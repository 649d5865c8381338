import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BODY_BYTES_MAX } from "../../../../config/limits.ts";
import { type Admission, createAdmission, FULL } from "../../../../services/gateway/admission/admission.ts";
import { type Route, routes } from "../../../../services/gateway/operation/routes.ts";
import { arrive, type Held } from "./arrive.ts";

const route = (action: string): Route => {
  const found = routes.find((one) => one.action === action);
  if (!found) throw new Error(`There is no route to ${action}`);
  return found;
};
const KINDS = ["people.get", "people.list", "people.create", "people.batchCreate"];
const BUSY = { type: "SERVICE_UNAVAILABLE", data: { headers: { "Retry-After": "1" } } };

/** Takes places until there are none. */
function fill(take: () => Held): Held[] {
  const places: Held[] = [];
  for (;;) {
    try {
      places.push(take());
    } catch (error) {
      expect(error).toMatchObject(BUSY);
      return places;
    }
  }
}

const leaveAll = (places: Held[]) => Promise.all(places.map((place) => place.leave()));

/** What takes a place among the requests of a kind. */
function arriveAt(admission: Admission, action: string, workspaceId?: string): () => Held {
  return () => {
    const place = arrive(admission, workspaceId);
    try {
      place.enter(route(action));
    } catch (error) {
      void place.leave();
      throw error;
    }
    return place;
  };
}

function reserving(admission: Admission, bytes: number, workspaceId?: string): () => Held {
  return () => {
    const place = arrive(admission, workspaceId);
    try {
      place.reserve(bytes);
    } catch (error) {
      void place.leave();
      throw error;
    }
    return place;
  };
}

describe("Admission (docs/guides/under-load.md)", () => {
  it("bounds each kind by itself: one that is full leaves the others their places", () => {
    const admission = createAdmission();
    const counts = KINDS.map((action) => fill(arriveAt(admission, action)).length);
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(100);
    for (const action of KINDS) expect(admission.isFull(route(action), "one")).toBe(true);
    expect(createAdmission().isFull(route("people.get"), "one")).toBe(false);
    // A search reads like a list, and finds its places taken.
    expect(fill(arriveAt(admission, "companies.search"))).toEqual([]);
  });

  it("leaves other workspaces as many places as one can take", () => {
    const admission = createAdmission();
    for (const action of KINDS) {
      const { length } = fill(arriveAt(admission, action, "one"));
      expect(admission.isFull(route(action), "other")).toBe(false);
      expect(fill(arriveAt(admission, action, "other"))).toHaveLength(length);
    }
  });

  it("divides the bytes of bodies among however many workspaces there are: the next one always finds some", () => {
    const admission = createAdmission();
    expect(fill(reserving(admission, BODY_BYTES_MAX, "one"))).toHaveLength(4);
    expect(fill(reserving(admission, BODY_BYTES_MAX, "another"))).toHaveLength(2);
    expect(fill(reserving(admission, BODY_BYTES_MAX, "a third"))).toHaveLength(1);
    expect(fill(reserving(admission, BODY_BYTES_MAX / 4, "a fourth")).length).toBeGreaterThan(0);
  });

  it("divides the uploads among the workspaces, none of which holds a place of the requests that could run", async () => {
    const admission = createAdmission();
    const { promise: sent, resolve: send } = Promise.withResolvers<void>();
    const uploads: Promise<void>[] = [];
    const upload = (workspaceId: string) => () => {
      const place = arrive(admission, workspaceId);
      let isWaiting = false;
      const waiting = place.whileSending(() => {
        isWaiting = true;
        return sent;
      });
      uploads.push(waiting.catch(() => undefined));
      if (isWaiting) return place;
      void place.leave();
      throw FULL;
    };
    const counts = ["one", "another", "a third"].map((workspaceId) => fill(upload(workspaceId)).length);
    expect(counts).toEqual([500, 250, 125]);
    expect(fill(() => arrive(admission)).length).toBeGreaterThanOrEqual(2000);
    send();
    await Promise.all(uploads);
  });

  it("gives a place to the next as soon as it is left", async () => {
    const admission = createAdmission();
    const take = arriveAt(admission, "people.create");
    const places = fill(take);
    await leaveAll(places);
    expect(fill(take)).toHaveLength(places.length);
  });

  it("bounds all requests together, whatever becomes of them", async () => {
    const admission = createAdmission();
    const places = fill(() => arrive(admission));
    expect(places.length).toBeGreaterThanOrEqual(1000);
    await places[0]?.leave();
    expect(fill(() => arrive(admission))).toHaveLength(1);
  });

  it("gives the bytes of bodies back when the work has ended", async () => {
    const admission = createAdmission();
    const places = fill(reserving(admission, BODY_BYTES_MAX));
    await places[3]?.leave();
    expect(fill(reserving(admission, BODY_BYTES_MAX))).toHaveLength(1);
  });

  it("gives nothing to a request that is over", async () => {
    const place = arrive(createAdmission());
    await place.leave();
    expect(() => place.reserve(1)).toThrow("over");
    expect(() => place.enter(route("people.get"))).toThrow("over");
  });

  /** What is refused, for want of room or since the request is over, must hold nothing. */
  function ifThereIsRoom(take: () => void): void {
    try {
      take();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }

  /** How many requests, requests of each kind, and bytes there is room for: what somebody still holds is missing. */
  async function roomIn(admission: Admission): Promise<number[]> {
    const takes = [() => arrive(admission), ...KINDS.map((action) => arriveAt(admission, action))];
    const counts: number[] = [];
    for (const take of takes) {
      const places = fill(take);
      await leaveAll(places);
      counts.push(places.length);
    }
    return [...counts, await bytesIn(admission)];
  }

  /** By halves, since a place takes all of what it asks for or nothing. */
  async function bytesIn(admission: Admission): Promise<number> {
    const place = arrive(admission);
    let free = 0;
    for (let bytes = 2 ** 30; bytes >= 1; bytes /= 2) {
      ifThereIsRoom(() => {
        place.reserve(bytes);
        free += bytes;
      });
    }
    await place.leave();
    return free;
  }

  it("holds nothing once everybody has left, in whatever order they take and leave, and take again when they have left", async () => {
    const fresh = await roomIn(createAdmission());
    type Act = (place: Held) => void;
    const leave: Act = (place) => void place.leave();
    const enter =
      (action: string): Act =>
      (place) =>
        place.enter(route(action));
    const reserve =
      (bytes: number): Act =>
      (place) =>
        place.reserve(bytes);
    const act = fc.oneof(
      { weight: 1, arbitrary: fc.constant(leave) },
      { weight: 1, arbitrary: fc.constantFrom(...KINDS).map(enter) },
      { weight: 3, arbitrary: fc.nat({ max: 3 * BODY_BYTES_MAX }).map(reserve) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat({ max: 5 }), act), { maxLength: 60 }), async (steps) => {
        const admission = createAdmission();
        const places = Array.from({ length: 6 }, (_, i) => arrive(admission, `workspace ${i % 2}`));
        for (const [who, act] of steps) {
          const place = places[who];
          if (place) ifThereIsRoom(() => act(place));
          await Promise.resolve();
        }
        await leaveAll(places);
        expect(await roomIn(admission)).toEqual(fresh);
      }),
      { numRuns: 50 },
    );
  });
});
