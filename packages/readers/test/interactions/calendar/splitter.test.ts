import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type CalendarPart, createCalendarSplitter } from "../../../interactions/calendar/splitter.ts";
import { inPieces, partsOf } from "../pieces.ts";

const split = (content: string | Buffer): CalendarPart[] => partsOf(createCalendarSplitter(), [Buffer.from(content)]);
const linesOf = (content: string | Buffer) => split(content).map((part) => ("lines" in part ? part.lines : part));
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.map((line) => `${line}\r\n`).join("")}END:VEVENT\r\n`;

describe("A calendar (docs/guides/import-interactions.md#calendars)", () => {
  it("is divided into its events, zones and the name of its zone", () => {
    const zone = [
      "BEGIN:VTIMEZONE",
      "TZID:X",
      "BEGIN:STANDARD",
      "DTSTART:19700101T000000",
      "END:STANDARD",
      "END:VTIMEZONE",
    ];
    const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-TIMEZONE:Europe/Berlin\r\n${zone.join("\r\n")}\r\n${event("UID:1")}${event("UID:2")}END:VCALENDAR\r\n`;
    expect(split(calendar)).toEqual([
      { part: "zoneName", name: "Europe/Berlin" },
      { part: "zone", lines: zone },
      { part: "event", place: 1, lines: ["UID:1"] },
      { part: "event", place: 2, lines: ["UID:2"] },
    ]);
  });

  it("has its folded lines joined, also those that are folded within a character", () => {
    const [first, second] = [
      Buffer.from("SUMMARY:sch\xc3\r\n ", "latin1"),
      Buffer.from("\xb6n\r\n\tundgut\r\n", "latin1"),
    ];
    const bytes = Buffer.concat([Buffer.from("BEGIN:VEVENT\r\n"), first, second, Buffer.from("END:VEVENT\r\n")]);
    expect(linesOf(bytes)).toEqual([["SUMMARY:schönundgut"]]);
  });

  it("of an older program is read in its charset", () => {
    expect(linesOf(Buffer.from(event("SUMMARY:sch\xf6n"), "latin1"))).toEqual([["SUMMARY:schön"]]);
  });

  it("has alarms, attachments and all else left out that is not read", () => {
    const alarm = ["BEGIN:VALARM", "DESCRIPTION:no", "TRIGGER:-PT5M", "END:VALARM"];
    const long = `ATTACH;ENCODING=BASE64:${"QUJD".repeat(500_000)}`;
    expect(
      linesOf(event("UID:1", ...alarm, "X-A:1", "  folded", long, " more", "DTSTAMP:1", "SUMMARY:yes", " yes")),
    ).toEqual([["UID:1", "DTSTAMP:1", "SUMMARY:yesyes"]]);
    expect(linesOf("BEGIN:VTODO\r\nSUMMARY:no\r\nEND:VTODO\r\n")).toEqual([]);
  });

  it("has names in any letter case, LF for CRLF, and a byte order mark", () => {
    expect(linesOf("\ufeffbegin:vevent\nuid:1\nend:vevent\n")).toEqual([["uid:1"]]);
  });

  it("has an event refused that is too large or does not end, and the others told", () => {
    const long = event("UID:2", `DESCRIPTION:${"x".repeat(1024 * 1024 + 1)}`);
    const many = event("UID:3", ...Array(20_000).fill(`ATTENDEE:mailto:${"x".repeat(60)}@acme.test`));
    const open = "BEGIN:VEVENT\r\nUID:5\r\n";
    expect(linesOf(`${event("UID:1")}${long}${many}${open}${event("UID:4")}${open}END:VCALENDAR\r\n${open}`)).toEqual([
      ["UID:1"],
      { part: "event", place: 2, refused: "The event has more than 1 MiB of text" },
      { part: "event", place: 3, refused: "The event has more than 1 MiB of text" },
      { part: "event", place: 4, refused: "The event has no END:VEVENT" },
      ["UID:4"],
      { part: "event", place: 6, refused: "The event has no END:VEVENT" },
      { part: "event", place: 7, refused: "The event has no END:VEVENT" },
    ]);
  });

  it("is the same however the file is divided into pieces", () => {
    const fragments = [
      ...[
        "BEGIN:VEVENT\r\n",
        "END:VEVENT\r\n",
        "BEGIN:VTIMEZONE\n",
        "END:VTIMEZONE\n",
        "BEGIN:VALARM\r\n",
        "END:VALARM\r\n",
      ],
      ...["UID:1\r\n", "SUMMARY:é\r\n", " folded\r\n", "\tfolded\n", "X:1\r\n", "END:VCALENDAR\r\n", "text", "\r\n"],
    ];
    fc.assert(
      fc.property(inPieces(fragments), ({ bytes, parts }) => {
        expect(partsOf(createCalendarSplitter(), parts)).toEqual(partsOf(createCalendarSplitter(), [bytes]));
      }),
      { numRuns: 300 },
    );
  });
});
