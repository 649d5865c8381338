import { isDate } from "./dates.ts";

const TIMESTAMP =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?<fraction>\.\d{1,9})?)?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/;
const MINUTE_MS = 60_000;
const LONGEST_OFFSET_MINUTES = 14 * 60;

/** The first millisecond of the year 0001, and the last of the year 9999. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * The instant that an ISO 8601 timestamp names, in milliseconds since 1970. A timestamp without an offset is in UTC;
 * seconds may be left out; what is finer than a millisecond is cut off. Null when the text is no timestamp, or names a
 * day or an hour that does not exist, or an instant outside of the years 0001 to 9999.
 * docs/guides/values.md#dates-times-and-time-zones
 */
export function instantOf(text: string): number | null {
  const { date = "", hour = "", minute = "", second = "00", fraction = "", zone } = TIMESTAMP.exec(text)?.groups ?? {};
  if (!isDate(date) || hour > "23" || minute > "59" || second > "59") return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  const wall = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(1, 4).padEnd(3, "0")}Z`);
  const ms = wall - offset * MINUTE_MS;
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : null;
}

/** The same in the form in which instants are answered: UTC with milliseconds and `Z`. */
export function timestampOf(text: string): string | null {
  const ms = instantOf(text);
  return ms === null ? null : new Date(ms).toISOString();
}

/** The instant of a timestamp, or the first one of a date in UTC; null for a text that is neither. */
export function instantOfTimeOrDate(text: string): number | null {
  return isDate(text) ? Date.parse(`${text}T00:00:00.000Z`) : instantOf(text);
}

/** Null for an offset that no zone has. */
function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const minutes = Number(zone.slice(-2));
  const offset = Number(zone.slice(1, 3)) * 60 + minutes;
  if (minutes > 59 || offset > LONGEST_OFFSET_MINUTES) return null;
  return zone.startsWith("-") ? -offset : offset;
}
