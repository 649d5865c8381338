/** ISO 639 codes of two letters that the runtime knows, and locales whose words differ from those of their language. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`));
const FURTHER = ["ckb", "en-AU", "es-MX", "fil", "fr-CA", "pt-PT", "yue", "zh-Hant", "zh-Hant-HK"];
/** The forms of CLDR: am and pm, and the finer ones such as "in the evening". */
const STYLES: Intl.DateTimeFormatOptions[] = [{}, { dayPeriod: "short" }, { dayPeriod: "long" }];
/** The forms in which a language may write a word such as "Uhr" behind a clock of 24 hours. */
const CLOCKS: Intl.DateTimeFormatOptions[] = [{ timeStyle: "short" }, { hour: "numeric" }];
const HOUR_MS = 60 * 60 * 1000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

let words: Map<string, Set<number>> | undefined;

/**
 * Hour from 0 to 23, from the hour on a clock and the word beside it in any language of CLDR: "pm", "下午", "अपराह्न".
 * Beside a word that goes with every hour, like "Uhr", it is the hour itself. Null for any other word.
 */
export function hourBeside(word: string, hour: number): number | null {
  const plain = plainWord(word);
  if (plain === "am" || plain === "pm") return (hour % 12) + (plain === "pm" ? 12 : 0);
  words ??= wordsOfAllLanguages();
  const hours = words.get(plain);
  if (!hours) return null;
  if (hours.size === HOURS.length) return hour;
  const [early, late] = [hour % 12, (hour % 12) + 12];
  // A telephone may keep to its word a little longer than CLDR does. The nearest hour of the word counts then.
  return distance(hours, late) < distance(hours, early) ? late : early;
}

function distance(hours: ReadonlySet<number>, hour: number): number {
  const steps = [...hours].map((each) => Math.abs(each - hour)).map((step) => Math.min(step, 24 - step));
  return Math.min(...steps);
}

/** A word of a few letters without letter case, dots and blanks, which telephones and CLDR write differently. */
function plainWord(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s.\p{Cf}]/gu, "");
}

function wordsOfAllLanguages(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  const locales = [...Intl.DateTimeFormat.supportedLocalesOf(CODES), ...FURTHER];
  for (const { word, hour } of locales.flatMap(periodsIn)) found.set(word, (found.get(word) ?? new Set()).add(hour));
  for (const word of locales.flatMap(wordsOfClockIn)) if (!found.has(word)) found.set(word, new Set(HOURS));
  return found;
}

function periodsIn(locale: string): { word: string; hour: number }[] {
  return STYLES.flatMap((style) => {
    const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", hourCycle: "h12", timeZone: "UTC", ...style });
    return HOURS.flatMap((hour) => {
      const part = clock.formatToParts(hour * HOUR_MS).find(({ type }) => type === "dayPeriod");
      return part ? [{ word: plainWord(part.value), hour }] : [];
    });
  });
}

function wordsOfClockIn(locale: string): string[] {
  return CLOCKS.flatMap((form) => {
    const clock = new Intl.DateTimeFormat(locale, { hourCycle: "h23", timeZone: "UTC", ...form });
    const last = clock.formatToParts(0).at(-1);
    const word = last?.type === "literal" ? plainWord(last.value) : "";
    return /\p{L}/u.test(word) ? [word] : [];
  });
}
