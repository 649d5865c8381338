import { nfc } from "./nfc.ts";

/** The languages whose names of months are known, long and short. */
const LANGUAGES = ["en", "en-GB", "de", "de-AT", "fr", "es", "it", "pt", "nl"];

let numbers: Map<string, number> | undefined;

/** The number of a month by its name, 1 to 12, without regard to letter case and a dot; undefined for other words. */
export function monthNamed(word: string): number | undefined {
  numbers ??= monthNumbers();
  return numbers.get(plain(word));
}

function monthNumbers(): Map<string, number> {
  const known = new Map<string, number>();
  for (const language of LANGUAGES)
    for (const style of ["long", "short"] as const) {
      const names = new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" });
      for (let month = 1; month <= 12; month++) known.set(plain(names.format(Date.UTC(2026, month - 1, 15))), month);
    }
  return known;
}

function plain(word: string): string {
  return nfc(word)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]/gu, "");
}
