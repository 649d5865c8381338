const OFFSET = /^(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d)$/;
const LONGEST_OFFSET_MINUTES = 14 * 60;
const MINUTE_MS = 60_000;

/**
 * The instant of a written day and time, in UTC with milliseconds: `2024-01-05T09:00:00.000Z`. Null for a day, a time
 * or an offset that there is not, and outside of the years 0001 to 9999.
 * @param time with seconds and milliseconds: `10:00:00.000`
 * @param offset how far the clock is ahead of UTC: `+01:00`, `+0100`, or `Z`
 */
export function timestampOf(date: string, time: string, offset = "Z"): string | null {
  const wall = Date.parse(`${date}T${time}Z`);
  // The runtime takes 30 February for a day of March.
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== `${date}T${time}Z` || date.startsWith("0000")) return null;
  const { sign, hours = "0", minutes = "0" } = OFFSET.exec(offset)?.groups ?? {};
  if (offset.toUpperCase() !== "Z" && sign === undefined) return null;
  const ahead = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || ahead > LONGEST_OFFSET_MINUTES) return null;
  const instant = new Date(wall - (sign === "-" ? -ahead : ahead) * MINUTE_MS).toISOString();
  return /^(?!0000)\d{4}-/.test(instant) ? instant : null;
}
