import ICAL from "ical.js";
import { instantOf, isZone, type WallMs } from "../wall-time.ts";
import { namedZone } from "./zone-names.ts";

const MINUTE_MS = 60_000;

/** The instant, in milliseconds since 1970, at which the clocks of a zone show something. */
export type Clock = (wall: WallMs) => number;

/**
 * Clocks of the zones that a calendar names. An IANA name means that zone. Other names mean what the calendar defines,
 * or else what programs mean by them (zone-names.ts). Null for a name that is unknown in all these ways.
 */
export function createClocks(zones: readonly string[][]): (name: string) => Clock | null {
  const own = new Map<string, ICAL.Timezone>();
  for (const lines of zones) {
    const zone = zoneOf(lines);
    if (zone) own.set(zone.tzid, zone);
  }
  const clocks = new Map<string, Clock | null>();
  return (name) => {
    const found = clocks.get(name);
    if (found !== undefined) return found;
    const clock = clockOf(name, own.get(name));
    if (clocks.size < CLOCKS_KEPT_MAX) clocks.set(name, clock);
    return clock;
  };
}

/** A calendar names a few zones. One that names another in each event makes no memory grow. */
const CLOCKS_KEPT_MAX = 1000;

function clockOf(name: string, own: ICAL.Timezone | undefined): Clock | null {
  if (own && !isZone(name)) return (wall) => wall - own.utcOffset(timeOf(wall)) * 1000;
  const zone = namedZone(name);
  if (zone === null) return null;
  return "iana" in zone ? (wall) => instantOf(wall, zone.iana) : (wall) => wall - zone.minutes * MINUTE_MS;
}

/** An event with a zone that cannot be read is refused elsewhere, so this reports nothing. */
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
