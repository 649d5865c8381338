import { describe, expect, it } from "@jest/globals";
import { monthNamed, readDate } from "../../../base/values/written-date.ts";

const day = (date: string) => ({ dmy: date, mdy: date });

describe("A date as people and programs write it", () => {
  it.each([
    "1970-12-24",
    "1970/12/24",
    "1970.12.24",
    "24.12.1970",
    "24. 12. 1970",
    "24 Dec 1970",
    "24-Dec-1970",
    "24-Dec-70",
    "December 24, 1970",
    "Dec 24th, 1970",
    "Thursday, December 24, 1970",
    "Thu, 24 Dec 1970 10:00:00 +0100",
    "24. Dezember 1970",
    "24 décembre 1970",
    "24 de diciembre de 1970",
    "24 dicembre 1970",
    "1970-12-24T23:59:59.999Z",
    "1970-12-24 23:59",
    "1970-12-24T00:30:00+02:00 (CEST)",
  ])("is read whatever the order of day and month: %s", (text) => {
    expect(readDate(text)).toEqual(day("1970-12-24"));
  });

  it("reads what LinkedIn writes", () => {
    expect(readDate("05 Aug 2021")).toEqual(day("2021-08-05"));
    expect(readDate("8/5/21, 9:00 PM")).toEqual({ dmy: "2021-05-08", mdy: "2021-08-05" });
  });

  it.each([
    ["24/12/1970", { dmy: "1970-12-24", mdy: null }],
    ["12/24/1970", { dmy: null, mdy: "1970-12-24" }],
    ["24-12-1970", { dmy: "1970-12-24", mdy: null }],
    ["5/6/2020", { dmy: "2020-06-05", mdy: "2020-05-06" }],
    ["5/5/2020", day("2020-05-05")],
  ])("has a day by each order that makes one: %s", (text, readings) => {
    expect(readDate(text)).toEqual(readings);
  });

  it("takes years of two digits for 1930 to 2029, and of birthdays none to come", () => {
    expect(readDate("1.2.29")).toEqual(day("2029-02-01"));
    expect(readDate("1.2.30")).toEqual(day("1930-02-01"));
    expect(readDate("1.2.29", { latest: "2026-01-01" })).toEqual(day("1929-02-01"));
    expect(readDate("1.2.2029", { latest: "2026-01-01" })).toEqual(day("2029-02-01"));
  });

  it("takes eight digits for a date only where dates are expected", () => {
    expect(readDate("19701224")).toBeNull();
    expect(readDate("19701224", { compact: true })).toEqual(day("1970-12-24"));
  });

  it.each([
    ["--03-09", "no year"],
    ["--0309", "no year"],
    ["24.12.", "no year"],
    ["0000-03-09", "no year"],
    ["1970", "no day"],
    ["1970-12", "no day"],
    ["Dec 1970", "no day"],
    ["1970-12-00", "no day"],
    ["0/0/00", "empty"],
    ["0000-00-00", "empty"],
  ])("says what is missing: %s", (text, missing) => {
    expect(readDate(text)).toBe(missing);
  });

  it.each(["31.02.2020", "2013 (1888)", "soon", "1.2", "12/34/5678", "24 Foo 1970", "+44 20 7946 0000", ""])(
    "is not read out of: %s",
    (text) => {
      const read = readDate(text);
      expect(typeof read === "object" && read !== null).toBe(false);
    },
  );
});

it("no name of a month means two months", () => {
  const formats = ["en", "en-GB", "de", "de-AT", "fr", "es", "it", "pt", "nl"].flatMap((language) =>
    (["long", "short"] as const).map((month) => new Intl.DateTimeFormat(language, { month, timeZone: "UTC" })),
  );
  for (let month = 1; month <= 12; month++)
    for (const format of formats) expect(monthNamed(format.format(Date.UTC(2026, month - 1, 15)))).toBe(month);
});
