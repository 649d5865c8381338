import { describe, expect, it } from "@jest/globals";
import { zoneSpelling } from "../../../base/schedules/zones.ts";

/** Names that the runtime does not list, because they stand for another zone, or for none at all. */
const ALIASES = [
  "UTC",
  "GMT",
  "GMT0",
  "Zulu",
  "Etc/UTC",
  "Etc/UCT",
  "Etc/GMT",
  "Etc/GMT0",
  "Etc/GMT+5",
  "Etc/GMT-14",
  "EST",
  "EST5EDT",
  "CET",
  "W-SU",
  "GB",
  "GB-Eire",
  "NZ-CHAT",
  "PRC",
  "ROK",
  "Asia/Calcutta",
  "Asia/Kolkata",
  "Asia/Katmandu",
  "Asia/Kathmandu",
  "Europe/Kiev",
  "Europe/Kyiv",
  "US/Eastern",
  "US/East-Indiana",
  "Canada/Newfoundland",
  "Mexico/BajaNorte",
  "Brazil/DeNoronha",
  "Chile/EasterIsland",
  "America/Knox_IN",
  "America/Port-au-Prince",
  "America/Port_of_Spain",
  "America/Argentina/ComodRivadavia",
  "America/Argentina/Buenos_Aires",
  "Antarctica/DumontDUrville",
  "Antarctica/McMurdo",
  "Africa/El_Aaiun",
  "Africa/Dar_es_Salaam",
  "Europe/Isle_of_Man",
  "Asia/Ust-Nera",
  "Australia/LHI",
];

describe("zoneSpelling", () => {
  it("is the name itself for every zone that the runtime lists, and for aliases, which stay aliases", () => {
    const names = [...Intl.supportedValuesOf("timeZone"), ...ALIASES];
    expect(names.length).toBeGreaterThan(400);
    expect(names.map(zoneSpelling)).toEqual(names);
  });

  it("finds a name in any letter case", () => {
    expect(zoneSpelling("europe/PARIS")).toBe("Europe/Paris");
    expect(zoneSpelling("utc")).toBe("UTC");
    expect(zoneSpelling("asia/calcutta")).toBe("Asia/Calcutta");
    expect(zoneSpelling("america/port-AU-prince")).toBe("America/Port-au-Prince");
  });

  it.each([
    "",
    " ",
    "Mars/Base",
    "Europe",
    "Europe/",
    "/Europe/Paris",
    "Europe/Paris ",
    " Europe/Paris",
    "Europe/Paris\n",
    "Europe/Paris\u0000",
    "Europe\\Paris",
    "Europe/París",
    "+01:00",
    "-0500",
    "+01",
    "01:00",
    "Z",
    "UTC+1",
    "GMT+1",
    "Etc/GMT+15",
    "Etc/Unknown",
    "posix/Europe/Paris",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00+01:00[Europe/Paris]",
    "Europe/Paris[u-ca=iso8601]",
    "constructor",
    "__proto__",
    "A".repeat(1_000_000),
  ])("knows no zone %j", (name) => {
    expect(zoneSpelling(name)).toBeNull();
  });
});
