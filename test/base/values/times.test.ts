import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { timestampOf } from "../../../base/values/times.ts";

describe("timestamps", () => {
  it.each([
    ["2026-03-01T09:30:00.000Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01t09:30z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00.000Z"],
    ["2026-03-01T09:30:00-0530", "2026-03-01T15:00:00.000Z"],
    ["2026-03-01T09:30:00.1239999Z", "2026-03-01T09:30:00.123Z"],
    ["2024-02-29T23:59:59.5+14:00", "2024-02-29T09:59:59.500Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ])("%s is %s, in UTC with milliseconds", (text, instant) => {
    expect(timestampOf(text)).toBe(instant);
  });

  it.each([
    "",
    "2026-03-01",
    "2026-02-30T09:30:00Z",
    "2025-02-29T09:30:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:60:00Z",
    "2026-03-01T09:30:60Z",
    "2026-03-01T09:30:00+15:00",
    "2026-03-01T09:30:00+01:60",
    "2026-03-01 09:30:00Z",
    "2026-03-01T09:30:00Z ",
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
    "0000-01-01T00:00:00Z",
    "１026-03-01T09:30:00Z",
  ])("%j names no instant", (text) => {
    expect(timestampOf(text)).toBeNull();
  });

  it("every instant of the calendar is itself", () => {
    const years = {
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    };
    fc.assert(fc.property(fc.date(years), (date) => timestampOf(date.toISOString()) === date.toISOString()));
  });
});
