import { dateIn, instantOf } from "./instants.ts";
import { firstOccurrence, lastOccurrence, nextOccurrence, previousOccurrence } from "./occurrences.ts";
import type { Schedule } from "./schedule.ts";

/**
 * More than the difference of any two offsets from UTC, which reach from -16 to +16 hours (local times of the
 * nineteenth century included). Dates this long before the local date of an instant are over at that instant, and dates
 * this long after it are still to come, whatever the clocks of the zone do. So a trigger is found among the dates of a
 * few days.
 */
const MORE_THAN_OFFSETS_MS = 2 * 24 * 60 * 60 * 1000;

/** Answers have no later timestamp; a zone behind UTC reaches it before its own year 9999 ends. */
const LAST_INSTANT = new Date("9999-12-31T23:59:59.999Z");

/** The first planned instant after a given one. Null when there is none, or none before the year 10000 in UTC. */
export function nextTrigger(schedule: Schedule, after: Date): Date | null {
  let date = firstOccurrence(schedule, dateIn(schedule.zone, shifted(after, -MORE_THAN_OFFSETS_MS)));
  while (date !== null) {
    const instant = instantOf(date, schedule.time, schedule.zone);
    if (instant > LAST_INSTANT) return null;
    // Later dates are never earlier instants, for no clock is put forward by more than a day.
    if (instant > after) return instant;
    date = nextOccurrence(schedule, date);
  }
  return null;
}

/** The last planned instant at or before a given one. Null when the first one is still to come. */
export function latestTrigger(schedule: Schedule, until: Date): Date | null {
  let date = lastOccurrence(schedule, dateIn(schedule.zone, shifted(until, MORE_THAN_OFFSETS_MS)));
  while (date !== null) {
    const instant = instantOf(date, schedule.time, schedule.zone);
    if (instant <= until) return instant;
    date = previousOccurrence(schedule, date);
  }
  return null;
}

/** Changes that firing makes to the two times of a reminder. */
export interface Firing {
  lastTriggerTime: Date;
  /** Null when the reminder never fires again. */
  nextTriggerTime: Date | null;
}

/**
 * The firing that is due now. `planned` is the stored time of the next trigger; null when that time has not come.
 * However many triggers have come due since, as while the server was down, it fires once, for the latest of them.
 */
export function firingOf(schedule: Schedule, planned: Date, now: Date): Firing | null {
  if (planned > now) return null;
  const latest = latestTrigger(schedule, now);
  return {
    // Time zone data newer than the plan may put this trigger elsewhere. What was planned for it counts then.
    lastTriggerTime: latest !== null && latest > planned ? latest : planned,
    nextTriggerTime: nextTrigger(schedule, now),
  };
}

function shifted(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
