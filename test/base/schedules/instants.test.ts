import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { dateIn, instantOf } from "../../../base/schedules/instants.ts";
import { watchClock } from "./slow-clock.ts";

/** Zone, what its clocks do, date and time there, instant: worked out by hand from the offsets that are named. */
const CASES: [string, string, string, string, string][] = [
  // Paris is at +01:00, and at +02:00 in summer. Both changes come at 01:00 UTC.
  ["Europe/Paris", "are in winter", "2026-01-15", "09:00:00", "2026-01-15T08:00:00.000Z"],
  ["Europe/Paris", "are in summer", "2026-07-15", "09:00:00", "2026-07-15T07:00:00.000Z"],
  ["Europe/Paris", "are about to skip an hour", "2026-03-29", "01:59:59", "2026-03-29T00:59:59.000Z"],
  ["Europe/Paris", "skip this, and show 03:00", "2026-03-29", "02:00:00", "2026-03-29T01:00:00.000Z"],
  ["Europe/Paris", "skip this, and show 03:30", "2026-03-29", "02:30:00", "2026-03-29T01:30:00.000Z"],
  ["Europe/Paris", "skip this, and show 03:59:59", "2026-03-29", "02:59:59", "2026-03-29T01:59:59.000Z"],
  ["Europe/Paris", "show the first time behind the hour", "2026-03-29", "03:00:00", "2026-03-29T01:00:00.000Z"],
  ["Europe/Paris", "are about to be put back", "2026-10-25", "01:59:59", "2026-10-24T23:59:59.000Z"],
  ["Europe/Paris", "show this twice", "2026-10-25", "02:00:00", "2026-10-25T00:00:00.000Z"],
  ["Europe/Paris", "show this twice", "2026-10-25", "02:30:00", "2026-10-25T00:30:00.000Z"],
  ["Europe/Paris", "show this twice", "2026-10-25", "02:59:59", "2026-10-25T00:59:59.000Z"],
  ["Europe/Paris", "show this once again", "2026-10-25", "03:00:00", "2026-10-25T02:00:00.000Z"],
  ["Europe/Paris", "skip this", "2027-03-28", "02:30:00", "2027-03-28T01:30:00.000Z"],
  ["Europe/Paris", "show this twice", "2027-10-31", "02:30:00", "2027-10-31T00:30:00.000Z"],
  ["Europe/Paris", "skip this", "2011-03-27", "02:30:00", "2011-03-27T01:30:00.000Z"],
  ["Europe/Paris", "show this twice", "2011-10-30", "02:30:00", "2011-10-30T00:30:00.000Z"],
  // New York is at -05:00, and at -04:00 in summer. Both changes come at 02:00 there: 07:00 UTC in spring, 06:00 in
  // autumn.
  ["America/New_York", "are about to skip an hour", "2026-03-08", "01:59:59", "2026-03-08T06:59:59.000Z"],
  ["America/New_York", "skip this, and show 03:30", "2026-03-08", "02:30:00", "2026-03-08T07:30:00.000Z"],
  ["America/New_York", "show the first time behind the hour", "2026-03-08", "03:00:00", "2026-03-08T07:00:00.000Z"],
  ["America/New_York", "are about to show an hour twice", "2026-11-01", "00:59:59", "2026-11-01T04:59:59.000Z"],
  ["America/New_York", "show this twice", "2026-11-01", "01:00:00", "2026-11-01T05:00:00.000Z"],
  ["America/New_York", "show this twice", "2026-11-01", "01:30:00", "2026-11-01T05:30:00.000Z"],
  ["America/New_York", "show this once again", "2026-11-01", "02:00:00", "2026-11-01T07:00:00.000Z"],
  ["America/New_York", "skip this", "2027-03-14", "02:30:00", "2027-03-14T07:30:00.000Z"],
  ["America/New_York", "show this twice", "2027-11-07", "01:30:00", "2027-11-07T05:30:00.000Z"],
  ["America/New_York", "skip this", "2011-03-13", "02:30:00", "2011-03-13T07:30:00.000Z"],
  ["America/New_York", "show this twice", "2011-11-06", "01:30:00", "2011-11-06T05:30:00.000Z"],
  // Lord Howe is at +10:30, and at +11:00 in its summer from October to April: half an hour is skipped or comes twice.
  ["Australia/Lord_Howe", "are about to show half an hour twice", "2026-04-05", "01:29:59", "2026-04-04T14:29:59.000Z"],
  ["Australia/Lord_Howe", "show this twice", "2026-04-05", "01:30:00", "2026-04-04T14:30:00.000Z"],
  ["Australia/Lord_Howe", "show this twice", "2026-04-05", "01:45:00", "2026-04-04T14:45:00.000Z"],
  ["Australia/Lord_Howe", "show this once again", "2026-04-05", "02:00:00", "2026-04-04T15:30:00.000Z"],
  ["Australia/Lord_Howe", "are about to skip half an hour", "2026-10-04", "01:59:59", "2026-10-03T15:29:59.000Z"],
  ["Australia/Lord_Howe", "skip this, and show 02:30", "2026-10-04", "02:00:00", "2026-10-03T15:30:00.000Z"],
  ["Australia/Lord_Howe", "skip this, and show 02:45", "2026-10-04", "02:15:00", "2026-10-03T15:45:00.000Z"],
  ["Australia/Lord_Howe", "show the first time behind it", "2026-10-04", "02:30:00", "2026-10-03T15:30:00.000Z"],
  ["Australia/Lord_Howe", "show this twice", "2027-04-04", "01:45:00", "2027-04-03T14:45:00.000Z"],
  ["Australia/Lord_Howe", "skip this", "2027-10-03", "02:15:00", "2027-10-02T15:45:00.000Z"],
  ["Australia/Lord_Howe", "show this twice", "2011-04-03", "01:45:00", "2011-04-02T14:45:00.000Z"],
  ["Australia/Lord_Howe", "skip this", "2011-10-02", "02:15:00", "2011-10-01T15:45:00.000Z"],
  // Kathmandu is at +05:45 all the year.
  ["Asia/Kathmandu", "go on when others are changed", "2026-03-29", "02:30:00", "2026-03-28T20:45:00.000Z"],
  ["Asia/Kathmandu", "go on when others are changed", "2026-10-25", "00:00:00", "2026-10-24T18:15:00.000Z"],
  ["Asia/Kathmandu", "are at the turn of a day in UTC", "2011-12-31", "05:44:59", "2011-12-30T23:59:59.000Z"],
  // Apia was at -11:00, at -10:00 in its summer of 2011. It then left 30 December out, and went on at +14:00, now
  // +13:00.
  ["Pacific/Apia", "show this twice", "2011-04-02", "03:30:00", "2011-04-02T13:30:00.000Z"],
  ["Pacific/Apia", "show this once again", "2011-04-02", "04:00:00", "2011-04-02T15:00:00.000Z"],
  ["Pacific/Apia", "skip this, and show 04:30", "2011-09-24", "03:30:00", "2011-09-24T14:30:00.000Z"],
  ["Pacific/Apia", "are about to skip a day", "2011-12-29", "23:59:59", "2011-12-30T09:59:59.000Z"],
  ["Pacific/Apia", "skip this, and show midnight of the 31st", "2011-12-30", "00:00:00", "2011-12-30T10:00:00.000Z"],
  ["Pacific/Apia", "skip this, and show 09:00 of the 31st", "2011-12-30", "09:00:00", "2011-12-30T19:00:00.000Z"],
  ["Pacific/Apia", "skip this, and show the end of the 31st", "2011-12-30", "23:59:59", "2011-12-31T09:59:59.000Z"],
  ["Pacific/Apia", "show the first time behind the day", "2011-12-31", "00:00:00", "2011-12-30T10:00:00.000Z"],
  ["Pacific/Apia", "show 09:00 behind the day", "2011-12-31", "09:00:00", "2011-12-30T19:00:00.000Z"],
  ["Pacific/Apia", "are ahead of all", "2026-06-15", "09:00:00", "2026-06-14T20:00:00.000Z"],
  ["Pacific/Apia", "have no daylight saving any more", "2027-01-15", "09:00:00", "2027-01-14T20:00:00.000Z"],
  // Zones that are called by an alias, or have a fixed offset; Etc/GMT+5 is behind UTC.
  ["US/Eastern", "are those of New York", "2026-03-08", "02:30:00", "2026-03-08T07:30:00.000Z"],
  ["Asia/Calcutta", "are at +05:30", "2026-06-15", "09:00:00", "2026-06-15T03:30:00.000Z"],
  ["UTC", "are never changed", "2026-03-29", "02:30:00", "2026-03-29T02:30:00.000Z"],
  ["Etc/GMT+5", "are five hours late", "2026-03-29", "02:30:00", "2026-03-29T07:30:00.000Z"],
  // The rules that hold now go on for ever.
  ["Europe/Paris", "are in a far summer", "2099-07-01", "09:00:00", "2099-07-01T07:00:00.000Z"],
  ["Europe/Paris", "are in a far winter", "9999-12-31", "23:59:59", "9999-12-31T22:59:59.000Z"],
];

const DAY_MS = 24 * 60 * 60 * 1000;

describe("the instant of a date and a time", () => {
  it.each(CASES)("in %s, where clocks %s: %s %s is %s", (zone, _, date, time, instant) => {
    expect(instantOf(date, time, zone).toISOString()).toBe(instant);
  });

  it("is the one at which a watched clock first shows them, in every zone that the runtime lists", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    // About the changes of clocks of a spring and an autumn, and of Ramadan.
    const dates = ["2011-12-28", "2026-02-15", "2026-03-08", "2026-03-29", "2026-10-25"];
    const times = ["00:00:00", "01:45:00", "02:15:07", "02:30:00", "23:59:59"];
    const differing = zones.flatMap((zone) =>
      dates.flatMap((date) => {
        const clock = watchClock(zone, date, date);
        const wrong = times.filter((time) => instantOf(date, time, zone).getTime() !== clock(date, time).getTime());
        return wrong.map((time) => `${zone} ${date} ${time}`);
      }),
    );
    expect(zones.length).toBeGreaterThan(400);
    expect(differing).toEqual([]);
  });
});

describe("the date in a zone at an instant", () => {
  it.each([
    ["Europe/Paris", "2026-03-28T22:59:59.999Z", "2026-03-28"],
    ["Europe/Paris", "2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["Europe/Paris", "2026-03-29T22:00:00.000Z", "2026-03-30"],
    ["America/New_York", "2026-03-09T03:59:59.999Z", "2026-03-08"],
    ["America/New_York", "2026-03-09T04:00:00.000Z", "2026-03-09"],
    ["Australia/Lord_Howe", "2026-10-03T13:29:59.999Z", "2026-10-03"],
    ["Australia/Lord_Howe", "2026-10-03T13:30:00.000Z", "2026-10-04"],
    ["Australia/Lord_Howe", "2026-10-04T13:00:00.000Z", "2026-10-05"],
    ["Asia/Kathmandu", "2026-03-01T18:14:59.999Z", "2026-03-01"],
    ["Asia/Kathmandu", "2026-03-01T18:15:00.000Z", "2026-03-02"],
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31"],
    ["Etc/GMT-14", "2026-12-31T10:00:00.000Z", "2027-01-01"],
    ["UTC", "2027-01-01T00:00:00.000Z", "2027-01-01"],
  ])("%s at %s is %s", (zone, instant, date) => {
    expect(dateIn(zone, new Date(instant))).toBe(date);
  });

  it("is the date that was made into the instant, unless the clocks skip the end of that day", () => {
    const zone = fc.constantFrom("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC");
    const date = fc.integer({ min: 0, max: 40_000 }).map((days) => new Date(days * DAY_MS).toISOString().slice(0, 10));
    const time = fc.integer({ min: 0, max: 86_399 }).map((s) => new Date(s * 1000).toISOString().slice(11, 19));
    fc.assert(fc.property(zone, date, time, (z, d, t) => expect(dateIn(z, instantOf(d, t, z))).toBe(d)));
  });
});

describe("a zone that the runtime does not know", () => {
  it("is an error, which is not taken for a time in UTC", () => {
    expect(() => instantOf("2026-01-01", "09:00:00", "Mars/Base")).toThrow(RangeError);
    expect(() => dateIn("Mars/Base", new Date(0))).toThrow(RangeError);
  });
});
