import { timestampOf } from "../timestamp.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Thu, 5 Jan 2024 10:00:00 +0100`, as mails have it (RFC 5322); the day of the week is not looked at. */
const MAIL_DATE =
  /^(?:[A-Za-z]+[.,]*\s+)?(?<day>\d{1,2})[\s-]+(?<month>[A-Za-z]{3})[a-z]*\.?[\s-]+(?<year>\d{4}|\d\d)\s+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?:\.\d+)?\s*(?<zone>[+-]\d{4}|[A-Za-z]+)?/;

/** `Thu Jan  5 10:00:00 2024`, as the line before a mail has it; some write a zone before the year or behind it. */
export const ENVELOPE_DATE =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?(?: (?<before>[+-]\d{4}|[A-Z]{1,5}))? (?<year>\d{4})(?: (?<behind>[+-]\d{4}))?/;

/** `2024-01-05 10:00:00 +0100`, as some programs write it (ISO 8601), also without seconds and zone. */
const ISO_DATE =
  /^(?<date>\d{4}-\d\d-\d\d)(?: +|[Tt])(?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?<fraction>\.\d{1,9})?)?(?: *(?<zone>[+-]\d\d:?\d\d)|[Zz])?$/;

/** The zones that have names in RFC 5322. Other names mean nothing, and then the time counts as UTC. */
const ZONES: Record<string, string> = {
  EST: "-0500",
  EDT: "-0400",
  CST: "-0600",
  CDT: "-0500",
  MST: "-0700",
  MDT: "-0600",
  PST: "-0800",
  PDT: "-0700",
};

/** No date is longer. A header may be a megabyte. */
const LENGTH_MAX = 200;

/** The instant that a Date header names, null when there is none in it. */
export function mailDate(header: string): string | null {
  const text = header
    .slice(0, LENGTH_MAX)
    .replaceAll(/\([^()]*\)/g, " ")
    .trim();
  const parts = MAIL_DATE.exec(text)?.groups;
  if (parts) return instantOf(parts);
  const { date = "", minute, second = "00", fraction = "", zone } = ISO_DATE.exec(text)?.groups ?? {};
  return timestampOf(date, `${minute}:${second}.${fraction.slice(1, 4).padEnd(3, "0")}`, zone);
}

/** The instant that the `From ` line before a mail names, null when there is none in it. */
export function envelopeDate(line: string): string | null {
  const parts = ENVELOPE_DATE.exec(line.slice(-LENGTH_MAX))?.groups;
  return parts ? instantOf({ ...parts, zone: parts.before ?? parts.behind }) : null;
}

interface Parts {
  [name: string]: string | undefined;
}

function instantOf({
  day = "",
  month = "",
  year = "",
  hour = "",
  minute,
  second = "00",
  zone = "",
}: Parts): string | null {
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  const date = `${fullYear(year)}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  // A leap second is the 60th of its minute.
  const time = `${hour.padStart(2, "0")}:${minute}:${second === "60" ? "59" : second}.000`;
  const offset = /^[+-]/.test(zone) ? zone : (ZONES[zone.toUpperCase()] ?? "Z");
  return timestampOf(date, time, offset);
}

/** Years of two digits are those of RFC 5322: from 1950 to 2049. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) < 50 ? 20 : 19}${year}`;
}
