import { Temporal } from "temporal-polyfill";

/** Offsets such as `+01:00`, and timestamps, stand for zones in Temporal too. They have no such form. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const SOME_INSTANT = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Spelling of the name of a zone in the time zone data of the runtime, whatever its letter case; an alias stays an
 * alias. Null when there is no such zone. The first call for a zone takes some 0.1 ms, later ones a microsecond.
 */
export function zoneSpelling(name: string): string | null {
  if (!NAME.test(name)) return null;
  try {
    return SOME_INSTANT.toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
