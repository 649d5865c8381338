import {
  ADDRESS,
  ADDRESS_PARTS,
  type HeadingWords,
  type ImportKind,
  KINDS,
  NATIVE_FIELDS,
  type NativeField,
  RECORDS,
  REMARKS,
  VAGUE,
} from "./headings.ts";

/** `E-mail 1 - Value`, and `E-mail 1 - Type` beside it: the form that address books have for lists. */
const NUMBERED = /^(?<what>.*\S)\s+\d+\s+-\s+(?<part>value|label|type)$/i;

/**
 * A heading without letter case, accents, blanks, signs and a number at its end: `E-mail 2` is `email`, and so is
 * `E-mail 2 - Value`.
 */
export function plainHeading(heading: string): string {
  const { what = heading, part } = numbered(heading);
  const letters = lettersOf(part?.toLowerCase() === "value" ? what : heading);
  return letters.replace(/(?<!\d)\d+$/, "") || letters;
}

/** True if a column only names the kind of the values of another one: `Phone 1 - Type`. */
export function isLabelHeading(heading: string): boolean {
  const part = numbered(heading).part?.toLowerCase();
  return part === "label" || part === "type";
}

/** No usual heading is longer. */
const HEADING_LENGTH_MAX = 200;
/** Letters that are no letter with an accent for Unicode. */
const SPELT = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["º", "o"],
]);

function lettersOf(heading: string): string {
  if (heading.length > HEADING_LENGTH_MAX) return "";
  return heading
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[ßæœøłº]/g, (letter) => SPELT.get(letter) ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function numbered(heading: string): Record<string, string | undefined> {
  return (heading.length > HEADING_LENGTH_MAX ? undefined : NUMBERED.exec(heading.trim())?.groups) ?? {};
}

/** The native field that a heading usually means. docs/guides/import-columns.md#columns */
export function fieldOf(kind: ImportKind, heading: string): NativeField | undefined {
  return fieldBy(kind, plainHeading(heading)) ?? fieldOfParts(kind, heading);
}

/** The field that letters mean, with or without a name of the record before them. */
function fieldBy(kind: ImportKind, letters: string): NativeField | undefined {
  for (const at of reached(letters, [0], RECORDS[kind])) {
    const rest = letters.slice(at);
    const field =
      NATIVE_FIELDS[kind].find(({ headings }) => headings.includes(rest)) ??
      NATIVE_FIELDS[kind].find(({ words }) => words && isMadeOf(rest.replaceAll(/\d/g, ""), words));
    if (field) return field;
  }
  return undefined;
}

function isMadeOf(letters: string, { before, is, behind }: HeadingWords): boolean {
  const named = [...reached(letters, [0], before)].flatMap((at) => endsOf(letters, at, is));
  return reached(letters, named, [...is, ...behind]).has(letters.length);
}

/** The places that any number of these words can reach from one of the given places, with those places first. */
function reached(letters: string, places: number[], words: string[]): Set<number> {
  const all = new Set(places);
  // The set grows while it is gone through.
  for (const at of all) for (const end of endsOf(letters, at, words)) all.add(end);
  return all;
}

function endsOf(letters: string, at: number, words: string[]): number[] {
  return words.filter((word) => letters.startsWith(word, at)).map((word) => at + word.length);
}

/** `Record > Email addresses`, `Company/Account`, `Number (Phones)`, `person.email`. */
const BETWEEN_PARTS = /[>/|:()[\]]|\s[-–—]\s|(?<=\p{L})\.(?=\p{L})/u;

/** The field that all parts of a heading mean, apart from those that mean nothing beside others. */
function fieldOfParts(kind: ImportKind, heading: string): NativeField | undefined {
  if (heading.length > HEADING_LENGTH_MAX || !BETWEEN_PARTS.test(heading)) return undefined;
  const parts = heading.split(BETWEEN_PARTS).map(lettersOf).filter(Boolean);
  const saying = [[...KINDS, ...REMARKS], [...RECORDS[kind], "record"], VAGUE].reduce(without, parts);
  const [first, ...more] = saying.map((part) => fieldBy(kind, plainHeading(part)));
  return more.every((field) => field === first) ? first : undefined;
}

/** The parts without those that are made of these words alone, unless nothing would be left. */
function without(parts: string[], words: string[]): string[] {
  const left = parts.filter((part) => !reached(part, [0], words).has(part.length));
  return left.length > 0 ? left : parts;
}

/** Whether a heading is the very name of the field, and not one of the other words for it. */
export function isExactly(field: NativeField, heading: string): boolean {
  return lettersOf(heading) === field.headings[0];
}

/**
 * The part of an address that a heading usually means, and the words that say which address: `Mailing City`. A number
 * at its end counts here: `street2` is the second line.
 */
export function addressPartOf(kind: ImportKind, heading: string): { part: string; of: string } | undefined {
  const letters = lettersOf(heading);
  for (const at of reached(letters, [0], [...RECORDS[kind], ...ADDRESS.before, "address"])) {
    const ends = (name: string) => reached(letters, letters.startsWith(name, at) ? [at + name.length] : [], KINDS);
    for (const { part, headings } of ADDRESS_PARTS) {
      const name = headings.find((one) => ends(one).has(letters.length));
      if (name !== undefined) return { part, of: letters.slice(0, at) + letters.slice(at + name.length) };
    }
  }
  return undefined;
}

/** Whether a heading usually means anything, of whatever is imported. */
export function isKnownHeading(heading: string): boolean {
  return (
    addressPartOf("people", heading) !== undefined ||
    fieldOf("people", heading) !== undefined ||
    fieldOf("companies", heading) !== undefined
  );
}
