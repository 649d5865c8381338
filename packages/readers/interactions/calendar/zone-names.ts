import { findIana } from "windows-iana";
import { instantOf, isZone } from "../wall-time.ts";

const MINUTE_MS = 60_000;
/** No clock is further from UTC. */
const OFFSET_MINUTES_MAX = 18 * 60;
/** No zone has a longer name. */
const NAME_LENGTH_MAX = 200;
/** Largest number of last parts of a path that can be a zone: `America/Argentina/Buenos_Aires`. */
const PARTS_MAX = 3;

/** A zone of IANA, or clocks that are always the same number of minutes ahead of UTC. */
export type NamedZone = { iana: string } | { minutes: number };

/**
 * The zone that a calendar program means by a name: one of IANA, in any letter case or behind a path; of Windows, by
 * its id or as its settings show it; or an offset from UTC. Null for any other name.
 * docs/guides/import-interactions.md#calendars
 */
export function namedZone(written: string): NamedZone | null {
  const name = written.trim().replaceAll(/^"|"$/g, "").slice(0, NAME_LENGTH_MAX);
  return iana(name) ?? offset(name) ?? windows(name) ?? shown(name) ?? tail(name);
}

function iana(name: string): NamedZone | null {
  return name !== "" && isZone(name) ? { iana: name } : null;
}

/**
 * `UTC+1`, `GMT+0100`, `-03:30`. The zones Etc/GMT-1 of IANA, which count the other way, are found by their names
 * before.
 */
function offset(name: string): NamedZone | null {
  const parts = /^(?:UTC|GMT)?\s*(?<sign>[+\-−])\s*(?<hours>\d{1,2})(?:[:.]?(?<minutes>\d\d))?$/i.exec(name)?.groups;
  return parts ? offsetOf(parts) : null;
}

function offsetOf({ sign, hours, minutes = "0" }: { [name: string]: string | undefined }): { minutes: number } | null {
  const sum = Number(hours) * 60 + Number(minutes);
  return sum > OFFSET_MINUTES_MAX ? null : { minutes: sign === "+" ? sum : -sum };
}

/** The ids of Windows, which name the zone with its summer time: `W. Europe Standard Time` in July, too. */
function windows(name: string): NamedZone | null {
  const standard = name.replace(/ (?:Daylight|Summer) Time$/i, " Standard Time");
  const [zone] = findIana(name).concat(findIana(standard));
  return zone === undefined ? null : iana(zone);
}

/** `/mozilla.org/20050126_1/Europe/Berlin`, `tzone://Microsoft/Utc`. */
function tail(name: string): NamedZone | null {
  const parts = name.split("/");
  if (parts.length < 2) return null;
  const tails = Array.from({ length: Math.min(PARTS_MAX, parts.length - 1) }, (_, i) => parts.slice(-1 - i).join("/"));
  // The longest name comes first: Knox alone is not a zone, but America/Indiana/Knox is.
  return tails.reverse().map(iana).find(Boolean) ?? null;
}

const SHOWN = /^\((?:UTC|GMT)\s*(?:(?<sign>[+\-−])(?<hours>\d{1,2})[:.](?<minutes>\d\d))?\)\s*(?<places>.+)$/i;

/**
 * A name as the settings of Windows show it, `(UTC+01:00) Amsterdam, Berlin, Bern`: the zone of the first place that
 * has the offset in one half of the year, or had it when the calendar was written: Astana was an hour further until
 * 2024. It means that zone with its summer time, and not the offset.
 */
function shown(name: string): NamedZone | null {
  const parts = SHOWN.exec(name)?.groups;
  const places = plain(parts?.places ?? name);
  const known = PLACES[places];
  if (known !== undefined) return iana(known);
  if (!parts) return null;
  const told = parts.sign === undefined ? { minutes: 0 } : offsetOf(parts);
  const zones = places.split(/[,/]| and /).flatMap((place) => zonesOf(place));
  const year = new Date().getUTCFullYear();
  const before = Array.from({ length: year - FIRST_YEAR }, (_, i) => FIRST_YEAR + i);
  const having = (years: number[]) =>
    zones.find((each) => told !== null && years.some((one) => offsetsOf(each, one).includes(told.minutes)));
  const zone = having([year]) ?? having(before);
  return zone === undefined ? null : { iana: zone };
}

/** The year from which calendars with such names are. */
const FIRST_YEAR = 2000;
const REGIONS = ["Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "Canada"];

function zonesOf(place: string): string[] {
  const city = plain(place)
    .replace(/ (?:is\.|islands?)$/, "")
    .replaceAll(" ", "_");
  if (!/^[a-z_'.-]+$/.test(city)) return [];
  const names = REGIONS.map((region) => `${region}/${city}`).filter(isZone);
  return PLACES[plain(place)] === undefined ? names : [PLACES[plain(place)] ?? "", ...names];
}

/** Minutes by which the clocks of a zone were ahead of UTC in the winter and in the summer of a year. */
function offsetsOf(zone: string, year: number): number[] {
  return [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)].map((wall) => (wall - instantOf(wall, zone)) / MINUTE_MS);
}

/** A name in lower case, without accents and without what stands in brackets, except countries. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ \((?!us & canada|canada|mexico|east)[^()]*\)/, "")
    .trim();
}

/** Names that Windows shows which are those of no city of IANA. */
const PLACES: Record<string, string> = {
  "coordinated universal time": "UTC",
  "international date line west": "Etc/GMT+12",
  "midway island, samoa": "Pacific/Midway",
  "aleutian islands": "America/Adak",
  hawaii: "Pacific/Honolulu",
  alaska: "America/Anchorage",
  "pacific time (us & canada)": "America/Los_Angeles",
  "pacific time (us & canada); tijuana": "America/Los_Angeles",
  "baja california": "America/Tijuana",
  arizona: "America/Phoenix",
  "mountain time (us & canada)": "America/Denver",
  yukon: "America/Whitehorse",
  "central time (us & canada)": "America/Chicago",
  "central america": "America/Guatemala",
  saskatchewan: "America/Regina",
  "eastern time (us & canada)": "America/New_York",
  "indiana (east)": "America/Indiana/Indianapolis",
  haiti: "America/Port-au-Prince",
  chetumal: "America/Cancun",
  "turks and caicos": "America/Grand_Turk",
  "atlantic time (canada)": "America/Halifax",
  newfoundland: "America/St_Johns",
  brasilia: "America/Sao_Paulo",
  greenland: "America/Nuuk",
  salvador: "America/Bahia",
  "city of buenos aires": "America/Argentina/Buenos_Aires",
  "saint pierre and miquelon": "America/Miquelon",
  "cabo verde is.": "Atlantic/Cape_Verde",
  "greenwich mean time": "Europe/London",
  edinburgh: "Europe/London",
  "west central africa": "Africa/Lagos",
  pretoria: "Africa/Johannesburg",
  "st. petersburg": "Europe/Moscow",
  "port louis": "Indian/Mauritius",
  ekaterinburg: "Asia/Yekaterinburg",
  islamabad: "Asia/Karachi",
  astana: "Asia/Almaty",
  "new delhi": "Asia/Kolkata",
  mumbai: "Asia/Kolkata",
  "sri jayawardenepura": "Asia/Colombo",
  rangoon: "Asia/Yangon",
  hanoi: "Asia/Bangkok",
  beijing: "Asia/Shanghai",
  osaka: "Asia/Tokyo",
  wellington: "Pacific/Auckland",
  "solomon is.": "Pacific/Guadalcanal",
  "nuku'alofa": "Pacific/Tongatapu",
  samoa: "Pacific/Apia",
  "kiritimati island": "Pacific/Kiritimati",
};
