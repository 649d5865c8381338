import type { Format } from "./formats.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 0 of Excel. It counts a 29 February 1900, which there was not: from March on its days are one too many. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
const FALSE_LEAP_DAY = 60;
/** Excel itself keeps no more, and shows no noise behind them. */
const DIGITS = 15;
/** The last day that Excel knows, of the year 9999. */
const DAY_MAX = 2_958_465;

/**
 * The number in a cell as text: a date as YYYY-MM-DD, with a time as YYYY-MM-DDTHH:MM:SS, a time alone as HH:MM:SS, all else with
 * the digits that Excel shows.
 */
export function numberText(text: string, format: Format, isFrom1904: boolean): string {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return text;
  if (format.is === "date" && number >= 0 && number <= DAY_MAX) return dateText(number, isFrom1904);
  if (format.is === "time" && number >= 0 && number < 1) return timeText(number);
  const plain = withoutNoise(number);
  return format.is === "digits" && /^\d+$/.test(plain) ? plain.padStart(format.count, "0") : plain;
}

/** A longer whole number has lost its last digits. It is written with a power of ten, which a column of texts refuses. */
function withoutNoise(number: number): string {
  const rounded = Number(number.toPrecision(DIGITS));
  return Math.abs(rounded) >= 10 ** DIGITS ? rounded.toExponential().toUpperCase() : String(rounded);
}

function dateText(days: number, isFrom1904: boolean): string {
  if (days < 1 && !isFrom1904) return timeText(days);
  const shift = !isFrom1904 && days < FALSE_LEAP_DAY ? 1 : 0;
  const ms = (isFrom1904 ? DAY_0_OF_1904 : DAY_0) + Math.round((days + shift) * DAY_MS);
  // Times are kept as parts of a day, so that seconds are off by some milliseconds.
  const iso = new Date(Math.round(ms / 1000) * 1000).toISOString();
  return iso.slice(11, 19) === "00:00:00" ? iso.slice(0, 10) : iso.slice(0, 19);
}

function timeText(days: number): string {
  return new Date(Math.round((days * DAY_MS) / 1000) * 1000).toISOString().slice(11, 19);
}
