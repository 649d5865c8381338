/** Clocks of time zones, watched from minute to minute. */

const MINUTE_MS = 60_000;
const DAY = 24 * 60;

/** Tells at which instant a clock shows a date (YYYY-MM-DD) and a time (HH:mm:ss). */
type Clock = (date: string, time: string) => Date;

/**
 * Watches the clocks of a zone from the day before one date to the day after another, and notes when they show each
 * minute first and last. A minute that they never show is found by going on from the last one that they did show, as if
 * they had not been changed.
 */
export function watchClock(zone: string, from: string, to: string): Clock {
  const start = minuteOf(from, "00:00") - 2 * DAY;
  const end = minuteOf(to, "00:00") + 3 * DAY;
  const first = new Int32Array(end - start + 2 * DAY);
  const last = new Int32Array(end - start + 2 * DAY);
  const shownAt = wallClock(zone);
  for (let hour = start; hour < end; hour += 60) {
    const shown = shownAt(hour);
    // Only in an hour that the clocks do not pass evenly is each minute looked at.
    const even = shownAt(hour + 60) - shown === 60;
    for (let minute = 0; minute < 60; minute++) {
      const place = (even ? shown + minute : shownAt(hour + minute)) - start + DAY;
      first[place] ||= hour + minute;
      last[place] = hour + minute;
    }
  }
  return (date, time) => {
    const place = minuteOf(date, time.slice(0, 5)) - start + DAY;
    let skipped = 0;
    while (!last[place - skipped]) skipped++;
    const minute = skipped === 0 ? first[place] : Number(last[place - skipped]) + skipped;
    return new Date(Number(minute) * MINUTE_MS + Number(time.slice(6)) * 1000);
  };
}

/** What the clocks of a zone show at a minute since 1970 in UTC, as the minute at which those of UTC show it. */
function wallClock(zone: string): (minute: number) => number {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (minute) => {
    const [, day, month, year, time] =
      /^(\d\d)\/(\d\d)\/(\d{4}), (\d\d:\d\d)$/.exec(format.format(minute * MINUTE_MS)) ?? [];
    return minuteOf(`${year}-${month}-${day}`, `${time}`);
  };
}

function minuteOf(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00Z`) / MINUTE_MS;
}
