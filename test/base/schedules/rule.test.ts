import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readRule, writeRule } from "../../../base/schedules/rule.ts";
import type { Frequency, Schedule } from "../../../base/schedules/schedule.ts";
import { anyDate, FREQUENCIES } from "./slow-calendar.ts";

const START = "DTSTART;TZID=Europe/Paris:20260301T093000";

const RULES: [Frequency | null, string][] = [
  [null, "RRULE:COUNT=1"],
  ["weekday", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1"],
  ["weekly", "RRULE:FREQ=WEEKLY;INTERVAL=1"],
  ["biweekly", "RRULE:FREQ=WEEKLY;INTERVAL=2"],
  ["monthly", "RRULE:FREQ=MONTHLY;INTERVAL=1"],
  ["quarterly", "RRULE:FREQ=MONTHLY;INTERVAL=3"],
  ["yearly", "RRULE:FREQ=YEARLY;INTERVAL=1"],
];

function problemOf(text: string): string | null {
  const read = readRule(text);
  return "problem" in read ? read.problem : null;
}

describe("a recurrence rule", () => {
  it.each(RULES)("of the frequency %s is written as %s, and read again", (frequency, line) => {
    const schedule = { anchor: "2026-03-01", time: "09:30:00", zone: "Europe/Paris", frequency };
    expect(readRule(`${START}\n${line}`)).toEqual({ schedule });
    expect(writeRule(schedule)).toBe(`${START}\n${line}`);
  });

  it.each([
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["a written-out newline", "\\n"],
  ])("may have %s between its lines, and is written with LF", (_, newline) => {
    const read = readRule(`${START}${newline}RRULE:COUNT=1`);
    if ("problem" in read) throw new Error(read.problem);
    expect(writeRule(read.schedule)).toBe(`${START}\nRRULE:COUNT=1`);
  });

  it.each([
    "Europe/Paris",
    "Asia/Calcutta",
    "Asia/Kolkata",
    "US/Eastern",
    "UTC",
    "Etc/GMT+5",
    "America/Port-au-Prince",
  ])("keeps the zone as it was sent, aliases included: %s", (zone) => {
    const text = `DTSTART;TZID=${zone}:00010101T000000\nRRULE:FREQ=YEARLY;INTERVAL=1`;
    const schedule = { anchor: "0001-01-01", time: "00:00:00", zone, frequency: "yearly" };
    expect(readRule(text)).toEqual({ schedule });
  });

  it("is read again as it was written, whatever the schedule", () => {
    const schedules = fc.record<Schedule>({
      anchor: anyDate,
      time: fc.integer({ min: 0, max: 86_399 }).map((s) => new Date(s * 1000).toISOString().slice(11, 19)),
      zone: fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC", "US/Eastern", "Etc/GMT+5"),
      frequency: fc.constantFrom(...FREQUENCIES),
    });
    fc.assert(
      fc.property(schedules, (schedule) => {
        const text = writeRule(schedule);
        expect(text.length).toBeLessThanOrEqual(150);
        expect(readRule(text)).toEqual({ schedule });
      }),
    );
  });
});

const LIST = "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1";
const at = (local: string, zone = "Europe/Paris") => `DTSTART;TZID=${zone}:${local}\nRRULE:COUNT=1`;
const rule = (line: string) => `${START}\n${line}`;

/** What is wrong, the rule, and two parts of what is said: the value, and the way out. */
const BAD: [string, string, string, string][] = [
  ["is empty", "", '""', "has to begin with a line like DTSTART;TZID="],
  ["has no DTSTART", "RRULE:COUNT=1", '"RRULE:COUNT=1"', "has to begin with a line like DTSTART;TZID="],
  ["has its lines in the other order", `RRULE:COUNT=1\n${START}`, '"RRULE:COUNT=1"', "has to begin with"],
  ["begins with a blank", ` ${START}\nRRULE:COUNT=1`, '" DTSTART;', "has to begin with"],
  ["begins with a newline", `\n${START}\nRRULE:COUNT=1`, '""', "has to begin with"],
  ["begins with a byte order mark", `\uFEFF${START}\nRRULE:COUNT=1`, "DTSTART", "has to begin with"],
  ["begins with NUL", `\u0000${START}\nRRULE:COUNT=1`, '"\\u0000DTSTART', "has to begin with"],
  ["is in lower case", `${START}\nRRULE:COUNT=1`.toLowerCase(), '"dtstart;', "has to begin with"],
  ["is megabytes of text", "A".repeat(3_000_000), '"AAAA', "has to begin with"],
  ["names no zone", "DTSTART:20260301T093000\nRRULE:COUNT=1", '"DTSTART:20260301T093000"', "TZID=<zone>"],
  ["is in UTC by a Z", "DTSTART:20260301T093000Z\nRRULE:COUNT=1", '"DTSTART:20260301T093000Z"', "TZID=<zone>"],
  ["has no time", "DTSTART;TZID=Europe/Paris\nRRULE:COUNT=1", '"DTSTART;TZID=Europe/Paris"', "<YYYYMMDD>T<HHMMSS>"],
  ["has another parameter", `DTSTART;VALUE=DATE:20260301\nRRULE:COUNT=1`, "VALUE=DATE", "of the form DTSTART;TZID="],
  ["has a parameter in lower case", `${START.replace("TZID", "tzid")}\nRRULE:COUNT=1`, "tzid", "of the form DTSTART"],
  ["has an unknown zone", at("20260301T093000", "Mars/Base"), '"Mars/Base"', "name of the IANA database"],
  ["has an empty zone", at("20260301T093000", ""), '""', "name of the IANA database"],
  ["has an offset for a zone", at("20260301T093000", "+01:00"), '"+01"', "An offset is not a time zone"],
  [
    "has an offset without a colon for a zone",
    at("20260301T093000", "+0100"),
    '"+0100"',
    "An offset is not a time zone",
  ],
  ["has a zone in quotes", at("20260301T093000", '"Europe/Paris"'), "Europe/Paris", "name of the IANA database"],
  ["has a zone with a blank", at("20260301T093000", "Europe/Paris "), '"Europe/Paris "', "name of the IANA database"],
  ["has a zone with NUL", at("20260301T093000", "Europe/Paris\u0000"), "\\u0000", "name of the IANA database"],
  ["has a zone in lower case", at("20260301T093000", "europe/paris"), '"europe/paris"', 'spelled "Europe/Paris"'],
  ["has an alias in another case", at("20260301T093000", "US/EASTERN"), '"US/EASTERN"', 'spelled "US/Eastern"'],
  ["has megabytes of zone", at("20260301T093000", "A/".repeat(2_000_000)), '"DTSTART;TZID=A/A/', "of the form DTSTART"],
  ["has megabytes of colons", `DTSTART;TZID=${":".repeat(3_000_000)}`, '""', "name of the IANA database"],
  ["has a date with hyphens", at("2026-03-01T09:30:00"), '"2026-03-01T09:30:00"', "YYYYMMDDTHHMMSS"],
  ["has a date with hyphens and no colons", at("2026-03-01T093000"), '"2026-03-01T093000"', "YYYYMMDDTHHMMSS"],
  ["has a Z behind the time", at("20260301T093000Z"), '"20260301T093000Z"', "leave out the Z"],
  ["has a time without seconds", at("20260301T0930"), '"20260301T0930"', "YYYYMMDDTHHMMSS"],
  ["has a date only", at("20260301"), '"20260301"', "YYYYMMDDTHHMMSS"],
  ["has a blank behind the time", at("20260301T093000 "), '"20260301T093000 "', "YYYYMMDDTHHMMSS"],
  ["has other digits", at("２０２６０３０１T093000"), "２０２６０３０１", "YYYYMMDDTHHMMSS"],
  ["is on 30 February", at("20250230T093000"), '"20250230"', "day of the calendar"],
  ["is on 29 February of no leap year", at("20250229T093000"), '"20250229"', "day of the calendar"],
  ["is on 29 February 1900", at("19000229T093000"), '"19000229"', "day of the calendar"],
  ["is on 31 April", at("20260431T093000"), '"20260431"', "day of the calendar"],
  ["is in a month 13", at("20261301T093000"), '"20261301"', "day of the calendar"],
  ["is on a day 0", at("20260100T093000"), '"20260100"', "day of the calendar"],
  ["is in the year 0", at("00000101T093000"), '"00000101"', "years 0001 to 9999"],
  ["is at hour 24", at("20260301T240000"), '"240000"', "000000 to 235959"],
  ["is at minute 60", at("20260301T096000"), '"096000"', "000000 to 235959"],
  ["is at a leap second", at("20261231T235960"), '"235960"', "000000 to 235959"],
  ["has one line", START, "no second line", LIST],
  ["has a lone CR for a newline", `${START}\rRRULE:COUNT=1`, "COUNT=1", "YYYYMMDDTHHMMSS"],
  ["has a blank for a newline", `${START} RRULE:COUNT=1`, "COUNT=1", "YYYYMMDDTHHMMSS"],
  ["has an empty second line", `${START}\n`, '""', LIST],
  ["has an empty line between", `${START}\n\nRRULE:COUNT=1`, '""', LIST],
  ["has a second DTSTART", `${START}\n${START}\nRRULE:COUNT=1`, `"${START}"`, LIST],
  ["has an alarm", `${START}\nBEGIN:VALARM`, '"BEGIN:VALARM"', LIST],
  ["has dates left out", `${START}\nEXDATE:20260301T093000\nRRULE:COUNT=1`, '"EXDATE', "is not an RRULE line"],
  ["has a rule in lower case", rule("rrule:count=1"), '"rrule:count=1"', LIST],
  ["has a rule without a value", rule("RRULE:"), '"RRULE:"', LIST],
  ["repeats every day", rule("RRULE:FREQ=DAILY;COUNT=1"), '"RRULE:FREQ=DAILY;COUNT=1"', LIST],
  ["repeats every 0 weeks", rule("RRULE:FREQ=WEEKLY;INTERVAL=0"), "INTERVAL=0", LIST],
  ["repeats every -1 weeks", rule("RRULE:FREQ=WEEKLY;INTERVAL=-1"), "INTERVAL=-1", LIST],
  ["repeats every 3 weeks", rule("RRULE:FREQ=WEEKLY;INTERVAL=3"), "INTERVAL=3", LIST],
  ["comes twice", rule("RRULE:COUNT=2"), "COUNT=2", LIST],
  ["comes a thousand million times", rule("RRULE:COUNT=1000000000"), "COUNT=1000000000", LIST],
  ["says neither how often nor how long", rule("RRULE:FREQ=WEEKLY"), '"RRULE:FREQ=WEEKLY"', LIST],
  ["has its parts in another order", rule("RRULE:INTERVAL=1;FREQ=WEEKLY"), "INTERVAL=1;FREQ=WEEKLY", LIST],
  ["has its weekdays in another order", rule("RRULE:FREQ=WEEKLY;BYDAY=TU,MO,WE,TH,FR;INTERVAL=1"), "TU,MO", LIST],
  ["has fewer weekdays", rule("RRULE:FREQ=WEEKLY;BYDAY=MO;INTERVAL=1"), "BYDAY=MO", LIST],
  ["has an end", rule("RRULE:FREQ=WEEKLY;INTERVAL=1;UNTIL=20270101T000000Z"), "UNTIL", LIST],
  ["has a part in lower case", rule("RRULE:FREQ=weekly;INTERVAL=1"), "FREQ=weekly", LIST],
  ["has a blank in its rule", rule("RRULE: COUNT=1"), '"RRULE: COUNT=1"', LIST],
  ["has a blank behind its rule", rule("RRULE:COUNT=1 "), '"RRULE:COUNT=1 "', LIST],
  ["has NUL behind its rule", rule("RRULE:COUNT=1\u0000"), '"RRULE:COUNT=1\\u0000"', LIST],
  ["has a semicolon behind its rule", rule("RRULE:COUNT=1;"), '"RRULE:COUNT=1;"', LIST],
  ["has half a character behind its rule", rule("RRULE:COUNT=1\uD800"), '"RRULE:COUNT=1\\ud800"', LIST],
  ["has megabytes of rule", rule(`RRULE:${"COUNT=1;".repeat(400_000)}`), '"RRULE:COUNT=1;COUNT=1', LIST],
  ["ends with a newline", rule("RRULE:COUNT=1\n"), '"\\n"', "has to end with its RRULE line"],
  ["ends with CR LF", rule("RRULE:COUNT=1\r\n"), '"\\n"', "has to end with its RRULE line"],
  ["ends with a written-out newline", rule("RRULE:COUNT=1\\n"), '"\\n"', "has to end with its RRULE line"],
  ["has a second rule", rule("RRULE:COUNT=1\nRRULE:COUNT=1"), '"\\nRRULE:COUNT=1"', "has to end with its RRULE line"],
  ["has an alarm behind", rule("RRULE:COUNT=1\nBEGIN:VALARM"), '"\\nBEGIN:VALARM"', "has to end with its RRULE line"],
  ["has a DTSTART behind", rule(`RRULE:COUNT=1\n${START}`), '"\\nDTSTART;', "has to end with its RRULE line"],
  ["has megabytes of lines", rule("RRULE:COUNT=1\n".repeat(300_000)), '"\\nRRULE:COUNT=1', "has to end with"],
];

describe("a problem is told of a rule that", () => {
  it.each(BAD)("%s", (_, text, value, wayOut) => {
    const problem = problemOf(text);
    expect(problem).toContain(value);
    expect(problem).toContain(wayOut);
    // Short enough for an answer, and printable.
    expect(problem?.length).toBeLessThan(500);
    expect(problem).not.toMatch(/\p{Cc}|\p{Cs}/u);
  });

  it.each(RULES)("is another one, with all that are taken (%s)", (_, line) => {
    expect(problemOf(rule("RRULE:FREQ=DAILY"))).toContain(`"${line}"`);
  });

  it("has one character more, less, or another, unless that makes it the rule of another schedule", () => {
    const texts = fc.constantFrom(...RULES.map(([, line]) => rule(line)));
    const letter = fc.constantFrom(
      "",
      " ",
      "\n",
      "\r",
      "\\",
      "\u0000",
      "0",
      "1",
      "2",
      "9",
      "T",
      "Z",
      ";",
      ":",
      "é",
      "\uDC00",
    );
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat({ max: 1 }), letter, (text, place, taken, added) => {
        const i = place % (text.length + 1);
        const changed = text.slice(0, i) + added + text.slice(i + taken);
        const read = readRule(changed);
        if ("problem" in read) return;
        // Only a CR before the LF may have come in besides.
        expect(writeRule(read.schedule)).toBe(changed.replace("\r\n", "\n"));
      }),
      { numRuns: 3000 },
    );
  });

  it("is any text at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => expect(problemOf(text)).not.toBeNull()),
    );
  });
});
