import { isDate } from "../values/dates.ts";
import type { Frequency, Schedule } from "./schedule.ts";
import { zoneSpelling } from "./zones.ts";

/** The second line of a rule for each frequency. Other rules of iCalendar are not taken. */
const LINES: [Frequency | null, string][] = [
  [null, "RRULE:COUNT=1"],
  ["weekday", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1"],
  ["weekly", "RRULE:FREQ=WEEKLY;INTERVAL=1"],
  ["biweekly", "RRULE:FREQ=WEEKLY;INTERVAL=2"],
  ["monthly", "RRULE:FREQ=MONTHLY;INTERVAL=1"],
  ["quarterly", "RRULE:FREQ=MONTHLY;INTERVAL=3"],
  ["yearly", "RRULE:FREQ=YEARLY;INTERVAL=1"],
];
/** The second lines of all rules. */
export const RULE_LINES: readonly string[] = LINES.map(([, line]) => line);
const LINE_OF = new Map(LINES);
const FREQUENCY_OF = new Map(LINES.map(([frequency, line]) => [line, frequency]));

const FORM = "DTSTART;TZID=<zone>:<YYYYMMDD>T<HHMMSS>";
const EXAMPLE = "DTSTART;TZID=Europe/Paris:20260301T090000";
const CHOICE = `one of ${RULE_LINES.map((line) => `"${line}"`).join(", ")}`;

/** Some clients send the newline as the two characters that stand for it in JSON. */
const NEWLINE = /\r\n|\n|\\n/;

const START = /^DTSTART;TZID=(?<zone>[^:]*):(?<local>.*)$/s;
const LOCAL = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<time>\d{6})$/;
const TIME = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/;

/**
 * The longest rule that is taken has 112 characters: 31 around the name of the zone, 32 of the longest name, and 49 of
 * the longest second line. Of a longer text these many are enough to say what is wrong, so megabytes take no longer.
 */
const READ_CHARACTERS = 200;

/** Length of a rule. docs/guides/reminders.md#rules */
export const RULE_LENGTH_MAX = 150;

/** A rule that is refused, with words for the client: the fault, the text, and the rule to send instead. */
export interface RuleProblem {
  problem: string;
}

/**
 * Reads the `recurrenceRule` of a reminder: a DTSTART line, a newline, and one of seven RRULE lines, all exactly as
 * `writeRule` writes them, letter case included. Only the newline may also be CR LF or the two characters `\n`. The
 * zone stays as it was sent.
 */
export function readRule(text: string): { schedule: Schedule } | RuleProblem {
  const [first = "", second, ...further] = text.slice(0, READ_CHARACTERS).split(NEWLINE);
  const start = readStart(first);
  if ("problem" in start) return start;
  const frequency = FREQUENCY_OF.get(second ?? "");
  if (frequency === undefined) return { problem: notALine(second) };
  if (further.length > 0)
    return {
      problem: `The rule has to end with its RRULE line. Leave out what follows: ${quoted(`\n${further.join("\n")}`)}.`,
    };
  return { schedule: { ...start, frequency } };
}

/** The `recurrenceRule` of a schedule, its lines divided by LF. What `readRule` takes is written as it was sent. */
export function writeRule({ anchor, time, zone, frequency }: Schedule): string {
  const local = `${anchor.replaceAll("-", "")}T${time.replaceAll(":", "")}`;
  return `DTSTART;TZID=${zone}:${local}\n${LINE_OF.get(frequency)}`;
}

function readStart(line: string): Omit<Schedule, "frequency"> | RuleProblem {
  if (!line.startsWith("DTSTART"))
    return { problem: `The rule has to begin with a line like ${EXAMPLE}, and begins with ${quoted(line)}.` };
  const { zone, local = "" } = START.exec(line)?.groups ?? {};
  if (zone === undefined) return { problem: `The line ${quoted(line)} is not of the form ${FORM}, as in ${EXAMPLE}.` };
  const unknown = zoneProblem(zone);
  return unknown === null ? readLocal(zone, local) : { problem: unknown };
}

function zoneProblem(zone: string): string | null {
  const spelling = zoneSpelling(zone);
  if (spelling === zone) return null;
  if (spelling !== null) return `The time zone ${quoted(zone)} is spelled "${spelling}".`;
  return `There is no time zone ${quoted(zone)}. Send a name of the IANA database, such as Europe/Paris, US/Eastern or UTC. An offset is not a time zone.`;
}

function readLocal(zone: string, local: string): Omit<Schedule, "frequency"> | RuleProblem {
  const { year, month, day, time = "" } = LOCAL.exec(local)?.groups ?? {};
  if (year === undefined)
    return {
      problem: `The date and time ${quoted(local)} are not of the form YYYYMMDDTHHMMSS, as in 20260301T090000; they are local times of the zone, so leave out the Z.`,
    };
  const anchor = `${year}-${month}-${day}`;
  if (!isDate(anchor))
    return {
      problem: `The date "${local.slice(0, 8)}" does not exist. Send a day of the calendar, in the years 0001 to 9999.`,
    };
  const parts = TIME.exec(time);
  if (parts === null)
    return { problem: `The time of day "${time}" does not exist. Send HHMMSS, from 000000 to 235959.` };
  return { anchor, time: parts.slice(1).join(":"), zone };
}

function notALine(line: string | undefined): string {
  if (line === undefined) return `The rule has no second line. After the DTSTART line send a newline and ${CHOICE}.`;
  if (!line.startsWith("RRULE:")) return `The second line ${quoted(line)} is not an RRULE line. Send ${CHOICE}.`;
  return `The rule ${quoted(line)} is not supported. Send ${CHOICE}.`;
}

/** A text as messages show it: cut, and what cannot be printed escaped. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
