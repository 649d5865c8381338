import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { instantOf, isZone, wallOf } from "../../interactions/wall-time.ts";

const at = (wall: string, zone: string) => new Date(instantOf(Date.parse(`${wall}Z`), zone)).toISOString();

it.each([
  ["2026-01-15T12:00:00", "Europe/London", "2026-01-15T12:00:00.000Z"],
  ["2026-07-15T12:00:00", "Europe/London", "2026-07-15T11:00:00.000Z"],
  ["2026-07-15T12:00:00", "Asia/Kolkata", "2026-07-15T06:30:00.000Z"],
  ["2026-01-01T00:30:00", "Pacific/Kiritimati", "2025-12-31T10:30:00.000Z"],
  ["1900-01-01T00:00:00", "UTC", "1900-01-01T00:00:00.000Z"],
])("%s in %s is %s", (wall, zone, instant) => {
  expect(at(wall, zone)).toBe(instant);
});

it("a time that a change of the clocks skips takes the offset before it, and of one that comes twice the first counts", () => {
  expect(at("2026-03-29T02:30:00", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  expect(at("2026-10-25T02:30:00", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(at("2026-03-08T02:30:00", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
  expect(at("2026-11-01T01:30:00", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
});

it("what the clocks show at an instant is shown at that instant, or a change of the clocks earlier", () => {
  const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "UTC");
  const instants = fc.integer({ min: Date.parse("1975-01-01"), max: Date.parse("2040-01-01") });
  fc.assert(
    fc.property(zones, instants, (zone, instant) => {
      const found = instantOf(wallOf(instant, zone), zone);
      expect([instant, instant - 60 * 60 * 1000, instant - 30 * 60 * 1000]).toContain(found);
      expect(wallOf(found, zone)).toBe(wallOf(instant, zone));
    }),
  );
});

it("zones are those of IANA, aliases included", () => {
  expect(["Europe/Berlin", "US/Pacific", "UTC", "W. Europe Standard Time", "", "Nowhere"].filter(isZone)).toEqual([
    "Europe/Berlin",
    "US/Pacific",
    "UTC",
  ]);
});
