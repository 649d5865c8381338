import { writtenForms } from "../interactions/phone-numbers.ts";
import { nfc, withMarksApart } from "../values/nfc.ts";
import { BETWEEN, patternOf } from "./searched.ts";
import type { Subject } from "./subject.ts";

/** A text by which a person is known, in the forms in which it may be written. */
export interface Mark {
  /** A regular expression that finds it, in every letter case in which it may be meant. */
  source: string;
  /** What stands around it, as assertions: `anna@acme.test` does not name whoever has the address `a@acme.test`. */
  before: string;
  behind: string;
  /** Patterns of LIKE. A text in the form of `searched` that holds the mark matches one of them; one without the mark may, too. */
  patterns: string[];
}

/** The marks of e-mail addresses and telephone numbers. What is none, as "none" in the place of an address, names nobody. */
export function contactMarks({ emails, phones }: Subject): Mark[] {
  const addresses = emails.filter((email) => /^[^\s@]+@[^\s@]+$/.test(email.trim()));
  return [...addresses.map((email) => emailMark(email.trim())), ...phones.flatMap(phoneMark)];
}

/** The marks of names. One that is a single sign long names nobody. */
export function nameMarks({ names }: Subject): Mark[] {
  return names.filter((name) => [...name.trim()].length > 1).map((name) => nameMark(name.trim()));
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
/** In JSON a line break is a backslash and a letter, so that letter is none of a word. */
const ESCAPE = String.raw`\\[bfnrt]`;

function emailMark(email: string): Mark {
  return {
    source: anyCase(email),
    before: `(?:(?<!${LETTER}[._%+'-]?)|(?<=${ESCAPE}[._%+'-]?))`,
    behind: `(?!${LETTER}|[.-]${LETTER})`,
    patterns: [patternOf(email)],
  };
}

/** Fewer digits are an extension, or no number. */
const DIGITS_MIN = 6;

function phoneMark(phone: string): Mark[] {
  const digits = phone.replaceAll(/\D/g, "");
  if (digits.length < DIGITS_MIN) return [];
  const forms = [...new Set([digits, ...writtenForms(phone)])].filter(({ length }) => length >= DIGITS_MIN);
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  const between = `[${BETWEEN}]{0,3}`;
  const written = longestFirst.map((form) => [...form].join(between)).join("|");
  return [
    {
      source: String.raw`\+?(?:0${between}0${between})?(?:${written})`,
      before: "(?<![0-9])",
      behind: "(?![0-9])",
      patterns: forms.map((form) => `%${form}%`),
    },
  ];
}

/** Scripts that put no blanks between words, or endings behind names. */
const NO_BLANKS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const BEGINS_WITHOUT_BLANK = new RegExp(`^${NO_BLANKS}`, "u");
const ENDS_WITHOUT_BLANK = new RegExp(`${NO_BLANKS}$`, "u");

/** Words like "Will" and "Rose" are names too, so the letter case of a single one counts. Behind a name may stand the `s` of a genitive. */
function nameMark(name: string): Mark {
  const isOneWord = !/\s/.test(name);
  return {
    source: isOneWord ? `${asWritten(name)}|${asWritten(name.toUpperCase())}` : anyCase(name),
    before: BEGINS_WITHOUT_BLANK.test(name) ? "" : `(?:(?<!${LETTER})|(?<=${ESCAPE}))`,
    behind: ENDS_WITHOUT_BLANK.test(name) ? "" : `(?=[sS]?(?!${LETTER}))`,
    patterns: [patternOf(name)],
  };
}

function anyCase(text: string): string {
  return formsOf(text, (sign) => [sign, sign.toLowerCase(), sign.toUpperCase()]);
}

function asWritten(text: string): string {
  return formsOf(text, (sign) => [sign]);
}

/** Blanks may be any, line breaks too, and marks may stand behind their letters or be one with them. */
function formsOf(text: string, casesOf: (sign: string) => string[]): string {
  return nfc(text)
    .split(/(\s+)/)
    .map((part) =>
      /^\s/.test(part)
        ? `(?:[ \t\r\n\u00a0]|\\\\+[nrt])+`
        : [...part].map((sign) => signSource(casesOf(sign))).join(""),
    )
    .join("");
}

function signSource(cases: string[]): string {
  const forms = [...new Set(cases.flatMap((one) => [one, withMarksApart(one)]))].map(literal);
  if (forms.length === 1) return String(forms[0]);
  return forms.every((form) => form.length === 1) ? `[${forms.join("")}]` : `(?:${forms.join("|")})`;
}

/** In JSON a backslash stands before a quote and before a backslash, and several where JSON stands in JSON. */
function literal(text: string): string {
  if (text === '"') return '\\\\*"';
  if (text === "\\") return "\\\\+";
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
