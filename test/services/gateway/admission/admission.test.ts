import { describe, expect, it } from "@jest/globals";
import { BODY_BYTES_MAX } from "../../../../config/limits.ts";
import { createAdmission, type Place } from "../../../../services/gateway/admission/admission.ts";
import { type Route, routes } from "../../../../services/gateway/operation/routes.ts";

const route = (action: string): Route => {
  const found = routes.find((one) => one.action === action);
  if (!found) throw new Error(`There is no route to ${action}`);
  return found;
};
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
    const kinds = ["people.get", "people.list", "people.create", "people.batchCreate"];
    const counts = kinds.map((action) => fill(arriveAt(admission, action)).length);
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(100);
    for (const action of kinds) expect(admission.isFull(route(action))).toBe(true);
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
});
