import { describe, expect, it } from "@jest/globals";
import { createClocks } from "../../../interactions/calendar/zones.ts";

const HOUR_MS = 60 * 60 * 1000;
const clockOf = createClocks([]);

/** Hours by which a zone is ahead of UTC in winter and in summer; null for a name that is none. */
function ahead(name: string): [number, number] | null {
  const clock = clockOf(name);
  const [winter, summer] = [Date.UTC(2026, 0, 15, 9), Date.UTC(2026, 6, 15, 9)];
  return clock && [(winter - clock(winter)) / HOUR_MS, (summer - clock(summer)) / HOUR_MS];
}

describe("The zone that a calendar names (docs/guides/import-interactions.md#calendars)", () => {
  it.each([
    ["Europe/Kyiv", 2, 3],
    ["europe/berlin", 1, 2],
    ["US/Eastern", -5, -4],
    ["Etc/GMT-1", 1, 1],
    ["W. Europe Standard Time", 1, 2],
    ["Eastern Daylight Time", -5, -4],
    ["India Standard Time", 5.5, 5.5],
    ["/mozilla.org/20050126_1/Europe/Berlin", 1, 2],
    ["/citadel.org/20190914_1/America/Argentina/Buenos_Aires", -3, -3],
    ["tzone://Microsoft/Utc", 0, 0],
    ["(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", 1, 2],
    ["(GMT+01.00) Sarajevo/Warsaw/Zagreb", 1, 2],
    ["(UTC-05:00) Eastern Time (US & Canada)", -5, -4],
    ["Eastern Time (US & Canada)", -5, -4],
    ["(UTC) Dublin, Edinburgh, Lisbon, London", 0, 1],
    ["(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", 5.5, 5.5],
    ["(UTC+06:30) Yangon (Rangoon)", 6.5, 6.5],
    ["(UTC-07:00) Chihuahua, La Paz, Mazatlan", -7, -7],
    ["(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi", 8, 8],
    ["(UTC+06:00) Astana", 5, 5],
    ["(UTC-04:30) Caracas", -4, -4],
    ["UTC+1", 1, 1],
    ["GMT+0100", 1, 1],
    ["UTC-03:30", -3.5, -3.5],
  ])("%s is %f hours ahead of UTC in winter, and %f in summer", (name, winter, summer) => {
    expect(ahead(name)).toEqual([winter, summer]);
  });

  it.each(["", "Nowhere", "(UTC+01:00) Nowhere", "(UTC+09:00) Berlin", "UTC+25", "a/".repeat(10_000)])(
    "%.30s is none",
    (name) => {
      expect(ahead(name)).toBeNull();
    },
  );
});
