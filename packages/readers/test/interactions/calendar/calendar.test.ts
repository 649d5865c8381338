import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { readCalendar } from "../../../interactions/calendar/calendar.ts";
import type { Read } from "../../../interactions/read.ts";
import { all, sourceOf } from "../pieces.ts";

const OPTIONS = { zone: "America/New_York", isZoneGiven: false, now: Date.parse("2026-06-01T00:00:00Z") };
const PEOPLE = ["ORGANIZER:mailto:ada@acme.test", "ATTENDEE:mailto:bob@acme.test"];

const event = (...lines: string[]) => ["BEGIN:VEVENT", ...PEOPLE, ...lines, "END:VEVENT"];
const calendar = (...lines: string[][]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines.flat(), "END:VCALENDAR"].map((line) => `${line}\r\n`).join("");

const read = (content: string | Buffer, options: Partial<typeof OPTIONS> = {}): Promise<Read[]> =>
  all(readCalendar(sourceOf(content, 1000), { ...OPTIONS, ...options }));
const shown = (reads: Read[]) =>
  reads.map((one) =>
    "interaction" in one ? [one.place, one.interaction.id, one.interaction.dateTime.slice(0, 16)] : one,
  );

describe("A calendar (docs/guides/import-interactions.md#calendars)", () => {
  it("gives an interaction for each event and each instance, in the order of the file", async () => {
    const content = calendar(
      event("UID:a", "DTSTART:20260310T090000Z"),
      event("UID:b", "DTSTART:20260311T090000Z", "RRULE:FREQ=DAILY;COUNT=2"),
      event("UID:c", "DTSTART:20260230T090000Z"),
      event("UID:d", "DTSTART:20260310T090000Z", "STATUS:CANCELLED"),
      event("UID:e", "DTSTART:20260310T090000Z", "RRULE:FREQ=HOURLY"),
    );
    const reads = await read(content);
    expect(shown(reads.slice(0, 5))).toEqual([
      [1, "a", "2026-03-10T09:00"],
      [2, "b:20260311T090000Z", "2026-03-11T09:00"],
      [2, "b:20260312T090000Z", "2026-03-12T09:00"],
      { place: 3, refused: expect.stringContaining("is no time") },
      { place: 4, leftOut: "cancelled" },
    ]);
    expect(reads).toHaveLength(5 + 2200 + 1);
    expect(reads.at(-1)).toEqual({ place: 5, leftOut: "furtherInstances" });
    expect(reads[2]).toMatchObject({ interaction: { content: { startTime: "2026-03-12T09:00:00.000Z" } } });
  });

  it("knows the instances that were changed or cancelled wherever they stand, and zones behind the events", async () => {
    const zone = ["BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:STANDARD", "DTSTART:19700101T000000"];
    const offsets = ["TZOFFSETFROM:+0300", "TZOFFSETTO:+0300", "END:STANDARD", "END:VTIMEZONE"];
    const content = calendar(
      event("UID:a", "RECURRENCE-ID;TZID=Office:20260311T090000", "DTSTART;TZID=Office:20260311T150000"),
      event("UID:a", "DTSTART;TZID=Office:20260310T090000", "RRULE:FREQ=DAILY;COUNT=4"),
      event("UID:a", "RECURRENCE-ID;TZID=Office:20260312T090000", "DTSTART:20260312T060000Z", "STATUS:CANCELLED"),
      [...zone, ...offsets],
    );
    expect(shown(await read(content))).toEqual([
      [1, "a:20260311T060000Z", "2026-03-11T12:00"],
      [2, "a:20260310T060000Z", "2026-03-10T06:00"],
      [2, "a:20260313T060000Z", "2026-03-13T06:00"],
      { place: 3, leftOut: "cancelled" },
    ]);
  });

  it("gives the newest of several copies of an event, and leaves out the others", async () => {
    const content = calendar(
      event("UID:a", "DTSTART:20260310T090000Z", "DTSTAMP:20260102T000000Z"),
      event("UID:a", "DTSTART:20260310T100000Z", "SEQUENCE:2", "DTSTAMP:20260101T000000Z"),
      event("UID:b", "DTSTART:20260310T090000Z", "DTSTAMP:20260101T000000Z"),
      event("UID:a", "DTSTART:20260310T110000Z", "SEQUENCE:1"),
      event("UID:b", "DTSTART:20260310T120000Z", "LAST-MODIFIED:20260105T000000Z"),
      event("UID:c", "DTSTART:20260310T090000Z"),
      event("UID:c", "DTSTART:20260310T130000Z"),
    );
    expect(shown(await read(content))).toEqual([
      { place: 1, leftOut: "copies" },
      [2, "a", "2026-03-10T10:00"],
      { place: 3, leftOut: "copies" },
      { place: 4, leftOut: "copies" },
      [5, "b", "2026-03-10T12:00"],
      [6, "c", "2026-03-10T09:00"],
      { place: 7, leftOut: "copies" },
    ]);
  });

  it("has times without a zone in the one that was asked for, else in its own, else in that of the machine", async () => {
    const floating = event("UID:a", "DTSTART:20260710T090000");
    const startOf = async (content: string, options?: Partial<typeof OPTIONS>) => {
      const [first] = await read(content, options);
      return first && "interaction" in first ? first.interaction.dateTime.slice(11, 16) : first;
    };
    expect(await startOf(calendar(["X-WR-TIMEZONE:Europe/Berlin"], floating))).toBe("07:00");
    expect(await startOf(calendar(["X-WR-TIMEZONE:Europe/Berlin"], floating), { isZoneGiven: true })).toBe("13:00");
    expect(await startOf(calendar(floating))).toBe("13:00");
    expect(await startOf(calendar(["X-WR-TIMEZONE:W. Europe Standard Time"], floating))).toBe("07:00");
    expect(await startOf(calendar(["X-WR-TIMEZONE:Nowhere"], floating))).toEqual({
      place: 1,
      refused: expect.stringMatching(/"Nowhere" of the calendar \(X-WR-TIMEZONE\) is unknown: name one with --zone/),
    });
    expect(await startOf(calendar(["X-WR-TIMEZONE:Nowhere"], floating), { isZoneGiven: true })).toBe("13:00");
  });

  it("that is broken anywhere gives all events that are not", async () => {
    const content = `BEGIN:VCALENDAR\r\ngarbage\r\n${event("UID:a", "DTSTART:20260310T090000Z").join("\r\n")}\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\n${event("UID:c", "DTSTART:20260310T090000Z", "SUMMARY;nonsense").join("\n")}\n${event("UID:d", "nonsense", "DTSTART:20260310T090000Z").join("\n")}`;
    expect(shown(await read(content))).toEqual([
      [1, "a", "2026-03-10T09:00"],
      { place: 2, refused: "The event has no END:VEVENT" },
      { place: 3, refused: 'The event cannot be read: its line "SUMMARY;nonsense" cannot be read' },
      [4, "d", "2026-03-10T09:00"],
    ]);
  });

  it("holds nothing else up while endless rules are given up", async () => {
    const endless = ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY", "FREQ=HOURLY;BYMONTHDAY=31;BYMONTH=6"];
    const content = calendar(
      ...endless.map((rule, i) => event(`UID:${i}`, "DTSTART:19700101T000000Z", `RRULE:${rule}`)),
      event("UID:good", "DTSTART:20260310T090000Z"),
    );
    let turns = 0;
    let isReading = true;
    const turning = (async () => {
      while (isReading) {
        await setImmediate();
        turns += 1;
      }
    })();
    const turnsAt: number[] = [];
    const reads: Read[] = [];
    for await (const one of readCalendar(sourceOf(content), OPTIONS)) {
      turnsAt.push(turns);
      reads.push(one);
    }
    isReading = false;
    await turning;
    expect(reads.map((one) => ("refused" in one ? "refused" : "taken"))).toEqual([
      "refused",
      "refused",
      "refused",
      "taken",
    ]);
    // Following a rule in this thread would leave the others a turn or two for each.
    for (const [i, at] of turnsAt.entries()) if (i < 3) expect(at - (turnsAt[i - 1] ?? 0)).toBeGreaterThan(100);
  });
});
