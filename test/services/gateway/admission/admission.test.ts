import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { BODY_BYTES_MAX } from "../../../../config/limits.ts";
import { createAdmission, type Place } from "../../../../services/gateway/admission/admission.ts";
import { type Route, routes } from "../../../../services/gateway/operation/routes.ts";

const route = (action: string): Route => {
  const found = routes.find((one) => one.action === action);
  if (!found) throw new Error(`There is no route to ${action}`);
  return found;
};
const KINDS = ["people.get", "people.list", "people.create", "people.batchCreate"];
const BUSY = { type: "SERVICE_UNAVAILABLE", data: { headers: { "Retry-After": "1" } } };

/** Takes places until there are none. */
function fill(take: () => Place): Place[] {
  const places: Place[] = [];
  for (;;) {
    try {
      places.push(take());
    } catch (error) {
      expect(error).toMatchObject(BUSY);
      return places;
    }
  }
}

describe("Admission (docs/guides/limits.md#under-load)", () => {
  const arriveAt =
    (admission: ReturnType<typeof createAdmission>, action: string): (() => Place) =>
    () => {
      const place = admission.arrive();
      try {
        place.enter(route(action));
      } catch (error) {
        place.leave();
        throw error;
      }
      return place;
    };

  it("bounds each kind by itself: one that is full leaves the others their places", () => {
    const admission = createAdmission();
    const counts = KINDS.map((action) => fill(arriveAt(admission, action)).length);
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(100);
    for (const action of KINDS) expect(admission.isFull(route(action))).toBe(true);
    expect(createAdmission().isFull(route("people.get"))).toBe(false);
    // A search reads like a list, and finds its places taken.
    expect(fill(arriveAt(admission, "companies.search"))).toEqual([]);
  });

  it("gives a place to the next as soon as it is left", () => {
    const admission = createAdmission();
    const take = arriveAt(admission, "people.create");
    const places = fill(take);
    for (const place of places) place.leave();
    expect(fill(take)).toHaveLength(places.length);
  });

  it("bounds all requests together, whatever becomes of them", () => {
    const admission = createAdmission();
    const places = fill(() => admission.arrive());
    expect(places.length).toBeGreaterThanOrEqual(1000);
    places[0]?.leave();
    expect(fill(() => admission.arrive())).toHaveLength(1);
  });

  it("bounds the bytes of all bodies, a dozen of the largest, and gives them back with the place", () => {
    const admission = createAdmission();
    const take = () => {
      const place = admission.arrive();
      place.reserve(BODY_BYTES_MAX);
      return place;
    };
    const places = fill(take);
    expect(places).toHaveLength(12);
    places[3]?.leave();
    expect(fill(take)).toHaveLength(1);
  });
  it("gives nothing to a request that is over", () => {
    const place = createAdmission().arrive();
    place.leave();
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
  function roomIn(admission: ReturnType<typeof createAdmission>): number[] {
    const takes = [() => admission.arrive(), ...KINDS.map((action) => arriveAt(admission, action))];
    const counts = takes.map((take) => {
      const places = fill(take);
      for (const place of places) place.leave();
      return places.length;
    });
    return [...counts, bytesIn(admission)];
  }

  /** By halves, since a place takes all of what it asks for or nothing. */
  function bytesIn(admission: ReturnType<typeof createAdmission>): number {
    const place = admission.arrive();
    let free = 0;
    for (let bytes = 2 ** 30; bytes >= 1; bytes /= 2) {
      ifThereIsRoom(() => {
        place.reserve(bytes);
        free += bytes;
      });
    }
    place.leave();
    return free;
  }

  it("holds nothing once everybody has left, in whatever order they take and leave, and take again when they have left", () => {
    const fresh = roomIn(createAdmission());
    type Act = (place: Place) => void;
    const leave: Act = (place) => place.leave();
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
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 5 }), act), { maxLength: 60 }), (steps) => {
        const admission = createAdmission();
        const places = Array.from({ length: 6 }, admission.arrive);
        for (const [who, act] of steps) ifThereIsRoom(() => places.slice(who, who + 1).forEach(act));
        for (const place of places) place.leave();
        expect(roomIn(admission)).toEqual(fresh);
      }),
    );
  });
});
