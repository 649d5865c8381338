import { writtenForms } from "../../engine/interactions/phone-numbers.ts";
import { anyCase, asWritten, digits as digitsOf, type Reader } from "./readings.ts";
import { BETWEEN, patternOf } from "./searched.ts";
import type { Subject } from "./subject.ts";

/** A text by which a person is known. */
export interface Mark {
  text: string;
  /** The way the mark is read, and the texts in which it is looked for. */
  reader: Reader;
  /**
   * Expressions that must match before and behind it: `anna@acme.test` does not name a person with the address
   * `a@acme.test`. The group of `before` belongs to the mark.
   */
  before: RegExp;
  behind: RegExp;
  /** Patterns of LIKE. A text in the form of `searched` that holds the mark matches one of them; one without the mark may, too. */
  patterns: string[];
}

const ANYTHING = /(?:)/uy;

/** The mark of an id, with or without its prefix. */
export function idMark(uuid: string): Mark {
  return { text: uuid, reader: anyCase, before: ANYTHING, behind: ANYTHING, patterns: [patternOf(uuid)] };
}

/** The marks of e-mail addresses and telephone numbers. What is none, as "none" in the place of an address, names nobody. */
export function contactMarks({ emails, phones }: Subject): Mark[] {
  const addresses = emails.filter((email) => /^[^\s@]+@[^\s@]+$/.test(email.trim()));
  return [...addresses.map((email) => emailMark(email.trim())), ...phones.flatMap(phoneMarks)];
}

/** The marks of names. One that is a single sign long names nobody, nor does one of nothing but backslashes. */
export function nameMarks({ names }: Subject): Mark[] {
  return names
    .map((name) => name.trim())
    .filter((name) => (anyCase(name)[0]?.signs.length ?? 0) > 1)
    .flatMap(namesMarks);
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
/** In JSON a line break is a backslash and a letter, so that letter is none of a word. */
const ESCAPE = String.raw`\\[bfnrt]`;

const BEFORE_EMAIL = new RegExp(`(?<!${LETTER}[._%+'-]?)|(?<=${ESCAPE}[._%+'-]?)`, "uy");
const BEHIND_EMAIL = new RegExp(`(?!${LETTER}|[.-]${LETTER})`, "uy");

function emailMark(email: string): Mark {
  return { text: email, reader: anyCase, before: BEFORE_EMAIL, behind: BEHIND_EMAIL, patterns: [patternOf(email)] };
}

/** Fewer digits are an extension, or no number. */
const DIGITS_MIN = 6;
/** The digits that are dialled in front of a country code go with it. */
const BEFORE_PHONE = new RegExp(`(?<=(?<![0-9])(\\+?(?:0[${BETWEEN}]{0,3}0[${BETWEEN}]{0,3})?))`, "uy");
const BEHIND_PHONE = /(?![0-9])/uy;

function phoneMarks(phone: string): Mark[] {
  const digits = phone.replaceAll(/\D/g, "");
  if (digits.length < DIGITS_MIN) return [];
  const forms = [...new Set([digits, ...writtenForms(phone)])].filter(({ length }) => length >= DIGITS_MIN);
  return forms.map((form) => ({
    text: form,
    reader: digitsOf,
    before: BEFORE_PHONE,
    behind: BEHIND_PHONE,
    patterns: [`%${form}%`],
  }));
}

/** Scripts that put no blanks between words, or endings behind names. */
const NO_BLANKS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const BEGINS_WITHOUT_BLANK = new RegExp(`^${NO_BLANKS}`, "u");
const ENDS_WITHOUT_BLANK = new RegExp(`${NO_BLANKS}$`, "u");

const BEFORE_NAME = new RegExp(`(?<!${LETTER})|(?<=${ESCAPE})`, "uy");
const BEHIND_NAME = new RegExp(`(?=[sS]?(?!${LETTER}))`, "uy");

/** Words like "Will" and "Rose" are names too, so the letter case of a single one counts. Behind a name may stand the `s` of a genitive. */
function namesMarks(name: string): Mark[] {
  const isOneWord = !/\s/.test(name);
  const forms = isOneWord ? [...new Set([name, name.toUpperCase()])] : [name];
  return forms.map((text) => ({
    text,
    reader: isOneWord ? asWritten : anyCase,
    before: BEGINS_WITHOUT_BLANK.test(name) ? ANYTHING : BEFORE_NAME,
    behind: ENDS_WITHOUT_BLANK.test(name) ? ANYTHING : BEHIND_NAME,
    patterns: [patternOf(name)],
  }));
}
