import { Temporal } from "temporal-polyfill";

/**
 * The instant at which the clocks of a zone show a date (YYYY-MM-DD) and a time (HH:mm:ss). A time that the clocks
 * skip, as when daylight saving begins, is counted on with the offset before the change, so that 02:30 becomes 03:30.
 * If a time comes twice, the first one counts. Throws a RangeError for a zone that the runtime does not know.
 */
export function instantOf(date: string, time: string, zone: string): Date {
  // Temporal calls this rule `compatible`. It is the default, and is named because reminders depend on it.
  const zoned = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, { disambiguation: "compatible" });
  return new Date(zoned.epochMilliseconds);
}

/**
 * The date, YYYY-MM-DD, that the calendars of a zone show at an instant. Throws a RangeError for a zone that the
 * runtime does not know.
 */
export function dateIn(zone: string, instant: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
}
