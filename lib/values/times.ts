import { isDate } from "./dates.ts";

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** The first millisecond of the year 0001, and the last of the year 9999. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * The instant of a timestamp, in milliseconds since 1970; null for a text that is none. Seconds, their fraction and the zone may be
 * left out: without a zone it is UTC. What a fraction has beyond milliseconds does not count.
 * docs/guides/conventions.md#dates-and-times
 */
export function instantOf(text: string): number | null {
  const [, date = "", hours = "", minutes = "", seconds = "00", fraction = "", zone = "Z"] = TIMESTAMP.exec(text) ?? [];
  if (!isDate(date)) return null;
  const ms = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`);
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : null;
}

/** The instant of a timestamp, or the first one of a date in UTC; null for a text that is neither. */
export function instantOfTimeOrDate(text: string): number | null {
  return isDate(text) ? Date.parse(`${text}T00:00:00.000Z`) : instantOf(text);
}
