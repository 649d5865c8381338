import ICAL from "ical.js";
import { instantOf, isZone, type WallMs } from "../wall-time.ts";

/** The instant, in milliseconds since 1970, at which the clocks of a zone show something. */
export type Clock = (wall: WallMs) => number;

/**
 * The clocks by the zones that a calendar names. A name of IANA means that zone; other names mean what the calendar says of
 * them. Null for a name that neither knows.
 */
export function createClocks(zones: readonly string[][]): (name: string) => Clock | null {
  const own = new Map<string, ICAL.Timezone>();
  for (const lines of zones) {
    const zone = zoneOf(lines);
    if (zone) own.set(zone.tzid, zone);
  }
  return (name) => {
    if (isZone(name)) return (wall) => instantOf(wall, name);
    const zone = own.get(name);
    return zone ? (wall) => wall - zone.utcOffset(timeOf(wall)) * 1000 : null;
  };
}

/** Whoever names a zone that cannot be read is refused, so nothing is said of it here. */
function zoneOf(lines: readonly string[]): ICAL.Timezone | null {
  try {
    const component = new ICAL.Component(ICAL.parse(lines.join("\r\n")));
    const rules = component.getAllSubcomponents().flatMap((part) => part.getAllProperties("rrule"));
    // Clocks are changed once a year. ical.js would follow a rule of every second without a bound.
    const isBounded = rules.every((rule) => (rule.getFirstValue() as ICAL.Recur).freq === "YEARLY");
    return isBounded ? new ICAL.Timezone(component) : null;
  } catch {
    return null;
  }
}

function timeOf(wall: WallMs): ICAL.Time {
  const date = new Date(wall);
  return new ICAL.Time(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      isDate: false,
    },
    ICAL.Timezone.localTimezone,
  );
}
