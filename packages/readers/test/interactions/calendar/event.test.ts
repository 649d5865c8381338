import { describe, expect, it } from "@jest/globals";
import { createEventReader, type EventRead } from "../../../interactions/calendar/event.ts";
import type { CalendarSetup } from "../../../interactions/calendar/setup.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const PEOPLE = ["ORGANIZER;CN=Ada:mailto:ada@acme.test", "ATTENDEE;CN=Bob:MAILTO:bob@acme.test"];

const read = (lines: string[], setup: Partial<CalendarSetup> = {}): EventRead =>
  createEventReader({ zones: [], overrides: [], zone: "UTC", now: NOW, ...setup })(lines);
const event = (...lines: string[]) => ["UID:u1", ...PEOPLE, ...lines];

function taken(lines: string[], setup?: Partial<CalendarSetup>) {
  const found = read(lines, setup);
  if (!("instances" in found)) throw new Error(JSON.stringify(found));
  return found;
}
const startsOf = (lines: string[], setup?: Partial<CalendarSetup>) =>
  taken(lines, setup).instances.map(({ startTime }) => startTime.slice(0, 16));

describe("An event (docs/guides/import-interactions.md#calendars)", () => {
  it("is an interaction of its organizer with those who attend", () => {
    const lines = [
      "UID:u1@acme.test",
      "DTSTART:20260310T090000Z",
      "DTEND:20260310T100000Z",
      "SUMMARY:Plans\\, and more",
      "DESCRIPTION:One\\nTwo\\; three",
      "LOCATION:Room \\\\1",
      'ORGANIZER;CN="Lovelace: Ada":mailto:ada@acme.test',
      "ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:MAILTO:bob@acme.test",
      "ATTENDEE;CUTYPE=RESOURCE;CN=Beamer:mailto:beamer@acme.test",
      "ATTENDEE:mailto:ADA@acme.test",
      "ATTENDEE:tel:+447700900123",
      "ATTENDEE;EMAIL=carl@acme.test:urn:uuid:1",
    ];
    expect(read(lines)).toEqual({
      interaction: {
        id: "u1@acme.test",
        interactionType: "calendar",
        dateTime: "2026-03-10T09:00:00.000Z",
        title: "Plans, and more",
        content: {
          title: "Plans, and more",
          description: "One\nTwo; three",
          location: "Room \\1",
          startTime: "2026-03-10T09:00:00.000Z",
          endTime: "2026-03-10T10:00:00.000Z",
        },
        from: { type: "email", value: "ada@acme.test", name: "Lovelace: Ada" },
        to: [
          { type: "email", value: "bob@acme.test", name: "Bob" },
          { type: "phone", value: "+447700900123" },
          { type: "email", value: "carl@acme.test" },
        ],
      },
      isCut: false,
      instances: [{ id: "u1@acme.test", startTime: "2026-03-10T09:00:00.000Z", endTime: "2026-03-10T10:00:00.000Z" }],
      hasMore: false,
    });
  });

  it("without an organizer is one of the first who attends, and without others it is none", () => {
    const start = "DTSTART:20260310T090000Z";
    const [bob, carl] = ["ATTENDEE:mailto:bob@acme.test", "ATTENDEE:mailto:carl@acme.test"];
    expect(taken(["UID:1", start, bob, carl]).interaction).toMatchObject({
      from: { value: "bob@acme.test" },
      to: [{ value: "carl@acme.test" }],
    });
    for (const people of [[], [bob], ["ORGANIZER:mailto:bob@acme.test", bob], ["ORGANIZER:invalid:nomail", bob]])
      expect(read(["UID:1", start, ...people])).toEqual({ leftOut: "withoutOthers" });
  });

  it("that was cancelled is left out", () => {
    expect(read(event("DTSTART:20260310T090000Z", "STATUS:CANCELLED"))).toEqual({ leftOut: "cancelled" });
  });

  it.each([
    ["PUBLIC", undefined],
    ["PRIVATE", "sensitive"],
    ["confidential", "internal"],
    ["X-OTHER", undefined],
  ])("of the class %s has the privacy level %s", (name, level) => {
    expect(taken(event("DTSTART:20260310T090000Z", `CLASS:${name}`)).interaction.privacyLevel).toBe(level);
  });

  it.each([
    [["DTSTART:20260310T090000Z"], 0],
    [["DTSTART:20260310T090000Z", "DURATION:PT1H30M"], 90],
    [["DTSTART:20260310T090000Z", "DTEND:20260310T080000Z"], 0],
    [["DTSTART;VALUE=DATE:20260310"], 24 * 60],
    [["DTSTART;VALUE=DATE:20260310", "DTEND;VALUE=DATE:20260313"], 3 * 24 * 60],
    [["DTSTART;TZID=Europe/Berlin:20260328T120000", "DTEND;TZID=Europe/Berlin:20260329T120000"], 23 * 60],
  ])("%j lasts %d minutes", (lines, minutes) => {
    const [{ startTime, endTime } = { startTime: "", endTime: "" }] = taken(event(...lines)).instances;
    expect((Date.parse(endTime) - Date.parse(startTime)) / 60_000).toBe(minutes);
  });

  it("has texts that fit, and that is said", () => {
    const { interaction, isCut } = taken(
      event("DTSTART:20260310T090000Z", `SUMMARY:${"s".repeat(1001)}`, `DESCRIPTION:${"d".repeat(100_001)}`),
    );
    expect([interaction.title?.length, interaction.content.description.length, isCut]).toEqual([1000, 100_000, true]);
  });

  it("is known by its UID, or a hash of what stands for it", () => {
    const idOf = (...lines: string[]) => taken([...PEOPLE, "DTSTART:20260310T090000Z", ...lines]).interaction.id;
    expect(idOf(`UID:${"x".repeat(495)}`)).toBe("x".repeat(495));
    expect(idOf(`UID:${"x".repeat(496)}`)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(idOf("SUMMARY:a")).toMatch(/^sha256:/);
    expect(idOf("SUMMARY:a")).not.toBe(idOf("SUMMARY:b"));
  });

  it.each([
    [["UID:u1", "no colon"], 'its line "no colon" cannot be read'],
    [[], "it has no start"],
    [["DTSTART:20260230T090000Z"], 'its DTSTART "2026-02-30T09:00:00Z" is no time'],
    [["DTSTART:20260310T250000Z"], "is no time"],
    [["DTSTART:soon"], "DTSTART"],
    [["DTSTART;VALUE=TEXT:20260310T090000Z"], "is no time"],
    [["DTSTART;TZID=Nowhere:20260310T090000"], 'the time zone "Nowhere" is unknown'],
    [["DTSTART:20260310T090000Z", "DTEND:later"], "DTEND"],
    [["DTSTART:20260310T090000Z", "RRULE:FREQ=NEVER"], 'its line "RRULE:FREQ=NEVER" cannot be read'],
    [
      ["DTSTART:20260310T090000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"],
      "it repeats too often, or never comes true",
    ],
    [["DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY"], "it repeats too often, or never comes true"],
    [["DTSTART:20260310T090000Z", "RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY"], "EXRULE"],
    [["DTSTART:20260310T090000Z", "RRULE:FREQ=DAILY", "EXDATE:never"], "EXDATE"],
  ])("with %j is refused", (lines, reason) => {
    expect(read(event(...lines))).toEqual({ refused: expect.stringContaining(reason) });
  });

  it("with more guests than an interaction may have is refused", () => {
    const guests = Array.from({ length: 501 }, (_, i) => `ATTENDEE:mailto:p${i}@acme.test`);
    expect(read(["UID:1", "ORGANIZER:mailto:ada@acme.test", "DTSTART:20260310T090000Z", ...guests])).toEqual({
      refused: "The event has 501 guests, more than 500",
    });
  });
});

describe("The times of an event", () => {
  // What Outlook writes: its own name for the zone, and rules from 1601 on.
  const zone = [
    "BEGIN:VTIMEZONE",
    "TZID:W. Europe Standard Time",
    ...["BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100"],
    ...["RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "END:STANDARD"],
    ...["BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"],
    ...["RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT"],
    "END:VTIMEZONE",
  ];

  it.each([
    ["DTSTART:20260710T090000Z", "2026-07-10T09:00"],
    ["DTSTART;TZID=Europe/Berlin:20260710T090000", "2026-07-10T07:00"],
    ["DTSTART;TZID=Europe/Berlin:20260110T090000", "2026-01-10T08:00"],
    ["DTSTART;TZID=W. Europe Standard Time:20260710T090000", "2026-07-10T07:00"],
    ['DTSTART;TZID="W. Europe Standard Time":20260110T090000', "2026-01-10T08:00"],
    ["DTSTART:20260710T090000", "2026-07-10T13:00"],
    ["DTSTART;VALUE=DATE:20260710", "2026-07-10T00:00"],
    ["DTSTART:20260710", "2026-07-10T00:00"],
  ])("%s is %s UTC", (line, start) => {
    expect(startsOf(event(line), { zones: [zone], zone: "America/New_York" })).toEqual([start]);
  });

  it("of a zone that would take forever to work out are refused", () => {
    const endless = zone.map((line) => line.replace("FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "FREQ=SECONDLY"));
    expect(read(event("DTSTART;TZID=Office of forever:20260710T090000"), { zones: [endless] })).toEqual({
      refused: 'The event cannot be read: the time zone "Office of forever" is unknown',
    });
  });
});

describe("An event that repeats", () => {
  it("has an instance for each time, known by its start", () => {
    const { instances, hasMore } = taken(
      event("DTSTART:20260310T090000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2"),
    );
    expect(instances).toEqual([
      { id: "u1:20260310T090000Z", startTime: "2026-03-10T09:00:00.000Z", endTime: "2026-03-10T10:00:00.000Z" },
      { id: "u1:20260317T090000Z", startTime: "2026-03-17T09:00:00.000Z", endTime: "2026-03-17T10:00:00.000Z" },
    ]);
    expect(hasMore).toBe(false);
  });

  it("stays at its hour when the clocks of its zone change", () => {
    expect(startsOf(event("DTSTART;TZID=Europe/Berlin:20260322T090000", "RRULE:FREQ=WEEKLY;COUNT=2"))).toEqual([
      "2026-03-22T08:00",
      "2026-03-29T07:00",
    ]);
  });

  it.each([
    ["UNTIL=20260312T090000Z", 3],
    ["UNTIL=20260312T085959Z", 2],
    ["UNTIL=20260312T090000", 3],
    ["UNTIL=20260312", 3],
    ["UNTIL=20260301T000000Z", 1],
  ])("with %s ends in time", (until, count) => {
    expect(startsOf(event("DTSTART:20260310T090000Z", `RRULE:FREQ=DAILY;${until}`))).toHaveLength(count);
  });

  it("with an UNTIL in UTC ends at that instant, in whatever zone it takes place", () => {
    const until = (time: string) =>
      startsOf(event("DTSTART;TZID=America/New_York:20260310T200000", `RRULE:FREQ=DAILY;UNTIL=${time}`));
    expect(until("20260312T000000Z")).toEqual(["2026-03-11T00:00", "2026-03-12T00:00"]);
    expect(until("20260311T235959Z")).toEqual(["2026-03-11T00:00"]);
  });

  it("is without the times and days that are excluded, and with those that are added", () => {
    const daily = ["DTSTART;TZID=Europe/Berlin:20260310T090000", "RRULE:FREQ=DAILY;COUNT=5"];
    expect(
      startsOf(
        event(...daily, "EXDATE;TZID=Europe/Berlin:20260311T090000,20260312T090000", "EXDATE;VALUE=DATE:20260314"),
      ),
    ).toEqual(["2026-03-10T08:00", "2026-03-13T08:00"]);
    expect(startsOf(event(...daily, "EXDATE:20260310T080000Z")).length).toBe(4);
    expect(startsOf(event("DTSTART:20260310T090000Z", "RDATE:20260401T100000Z,20260310T090000Z"))).toEqual([
      "2026-03-10T09:00",
      "2026-04-01T10:00",
    ]);
    expect(startsOf(event("DTSTART:20260310T090000Z", "RDATE;VALUE=PERIOD:20260401T100000Z/PT1H"))).toContain(
      "2026-04-01T10:00",
    );
  });

  it("is without the instances in whose place other events stand, and these are known by the start that was", () => {
    const overrides = [["UID:u1", "RECURRENCE-ID;TZID=Europe/Berlin:20260311T090000"]];
    const lines = event("DTSTART;TZID=Europe/Berlin:20260310T090000", "RRULE:FREQ=DAILY;COUNT=3");
    expect(startsOf(lines, { overrides })).toEqual(["2026-03-10T08:00", "2026-03-12T08:00"]);
    expect(startsOf(lines, { overrides: [["UID:u2", "RECURRENCE-ID:20260311T080000Z"]] })).toHaveLength(3);
    expect(startsOf(lines, { overrides: [["UID:u1", "RECURRENCE-ID:broken"]] })).toHaveLength(3);
    const moved = event("RECURRENCE-ID:20260311T080000Z", "DTSTART:20260311T150000Z", "RRULE:FREQ=DAILY");
    expect(taken(moved, { overrides }).instances).toEqual([
      { id: "u1:20260311T080000Z", startTime: "2026-03-11T15:00:00.000Z", endTime: "2026-03-11T15:00:00.000Z" },
    ]);
  });

  it("is told from five years before until a year after, and every day of that", () => {
    const starts = startsOf(event("DTSTART:20000101T090000Z", "RRULE:FREQ=DAILY"));
    expect([starts.at(0), starts.at(-1)]).toEqual(["2021-06-01T09:00", "2027-05-31T09:00"]);
    expect(starts.length).toBeGreaterThan(2190);
    expect(taken(event("DTSTART:20000101T090000Z", "RRULE:FREQ=DAILY")).hasMore).toBe(false);
  });

  it("outside of the window is left out, and a single event is not", () => {
    expect(read(event("DTSTART:20000101T090000Z", "RRULE:FREQ=DAILY;COUNT=10"))).toEqual({ leftOut: "outsideWindow" });
    expect(startsOf(event("DTSTART:20000101T090000Z"))).toEqual(["2000-01-01T09:00"]);
  });

  it("more often than that has only the first instances", () => {
    const { instances, hasMore } = taken(event("DTSTART:20260310T090000Z", "RRULE:FREQ=MINUTELY"));
    expect([instances.length, hasMore]).toEqual([2200, true]);
  });
});
