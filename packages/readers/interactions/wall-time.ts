const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Local time somewhere, as the milliseconds since 1970 at which clocks in UTC show the same. */
export type WallMs = number;

/** Whether the runtime knows this time zone by its IANA name, aliases included. */
export function isZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant, in milliseconds since 1970, at which clocks of a zone show this. A time that a change of the clocks
 * skips takes the offset before it; of one that they show twice it is the first.
 */
export function instantOf(wall: WallMs, zone: string): number {
  const before = wall - offsetAt(wall - DAY_MS, zone);
  if (before + offsetAt(before, zone) === wall) return before;
  const after = wall - offsetAt(wall + DAY_MS, zone);
  return after + offsetAt(after, zone) === wall ? after : before;
}

/** Local time in a zone at an instant. */
export function wallOf(instant: number, zone: string): WallMs {
  return instant + offsetAt(instant, zone);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown zone */
function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    const two = "2-digit";
    const parts = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two, era: "short" } as const;
    clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, calendar: "gregory", hourCycle: "h23", ...parts });
    clocks.set(zone, clock);
  }
  return clock;
}

/** Offset of a zone from UTC at an instant, in milliseconds; positive east of UTC. */
function offsetAt(instant: number, zone: string): number {
  const shown = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type));
  // The year 1 BC is the year 0.
  const year = shown.get("era") === "BC" ? 1 - number("year") : number("year");
  const wall = new Date(0);
  wall.setUTCFullYear(year, number("month") - 1, number("day"));
  wall.setUTCHours(number("hour"), number("minute"), number("second"));
  return wall.getTime() - Math.floor(instant / 1000) * 1000;
}
