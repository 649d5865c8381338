import { writtenForms } from "../../engine/interactions/phone-numbers.ts";
import { BETWEEN, patternOf } from "./folded-for-search.ts";
import { anyCase, asWritten, digits as digitsOf, type Reader, type Reading } from "./spellings.ts";
import { type Subject, uuidsOfSubject } from "./subject.ts";
import { type Hit, textSearch } from "./text-search.ts";

/** A text that identifies a person. */
interface Mark {
  text: string;
  /** The way the mark is read, and the texts in which it is looked for. */
  reader: Reader;
  /**
   * Expressions that must match before and behind it: `anna@acme.test` does not name a person with the address
   * `a@acme.test`. The group of `before` belongs to the mark.
   */
  before: RegExp;
  behind: RegExp;
  /**
   * Patterns of LIKE. A text in the form of `searched` that holds the mark matches one of them; one without the mark
   * may, too.
   */
  patterns: string[];
}

const ANYTHING = /(?:)/uy;

/** The mark of an id, with or without its prefix. */
function idMark(uuid: string): Mark {
  return { text: uuid, reader: anyCase, before: ANYTHING, behind: ANYTHING, patterns: [patternOf(uuid)] };
}

/**
 * The marks of e-mail addresses and phone numbers. Other texts in their place, such as "none", identify no person.
 */
function contactMarks({ emails, phones }: Subject): Mark[] {
  const addresses = emails.filter((email) => /^[^\s@]+@[^\s@]+$/.test(email.trim()));
  return [...addresses.map((email) => emailMark(email.trim())), ...phones.flatMap(phoneMarks)];
}

/** The marks of names. A name of a single sign, or of only backslashes, identifies no person. */
function nameMarks({ names }: Subject): Mark[] {
  return names
    .map((name) => name.trim())
    .filter((name) => (anyCase(name)[0]?.signs.length ?? 0) > 1)
    .flatMap(namesMarks);
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
/** In JSON a line break is a backslash and a letter. The letter is not part of a word. */
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

/**
 * Words like "Will" and "Rose" are names too, so the letter case of a single one counts. Behind a name may stand the
 * `s` of a genitive.
 */
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

/** Text in the place of an erased one. */
export const ERASED = "[erased]";

/**
 * Finds a person in texts, in those of JSON as in plain ones. docs/guides/data-protection.md#how-texts-name-a-person
 */
export interface Marks {
  /**
   * Patterns of LIKE for `searched` texts. One that names the person matches one; others may too, so `areIn` has the
   * last word.
   */
  patterns: string[];
  areIn(text: string): boolean;
  /** The text with `[erased]` in place of everything that identifies the person. */
  redact(text: string): string;
}

/** Everything that identifies a person: ids, e-mail addresses, telephone numbers and names. */
export function marksOf(subject: Subject): Marks {
  return marks([...idMarks(subject), ...contactMarks(subject), ...nameMarks(subject)]);
}

/** The same without names, which others may have too. */
export function ownMarksOf(subject: Subject): Marks {
  return marks([...idMarks(subject), ...contactMarks(subject)]);
}

/** Nothing but the ids. */
export function idMarksOf(subject: Subject): Marks {
  return marks(idMarks(subject));
}

function idMarks(subject: Subject): Mark[] {
  return uuidsOfSubject(subject).map(idMark);
}

/**
 * PostgreSQL tries the patterns one by one, which takes longer than to send a text and search it here when there are
 * more.
 */
const PATTERNS_MAX = 100;
const ANY_TEXT = ["%"];

function marks(all: Mark[]): Marks {
  const byReader = Map.groupBy(all, ({ reader }) => reader);
  const finders = [...byReader].map(([reader, some]) => finderOf(reader, some));
  const patterns = [...new Set(all.flatMap((mark) => mark.patterns))];
  return {
    patterns: patterns.length > PATTERNS_MAX ? ANY_TEXT : patterns,
    areIn: (text) => finders.some((find) => !find(text).next().done),
    redact: (text) =>
      withoutSpans(
        text,
        finders.flatMap((find) => [...find(text)]),
      ),
  };
}

interface Span {
  start: number;
  end: number;
}

/** Finds marks that are read in the same way. */
function finderOf(reader: Reader, some: readonly Mark[]): (text: string) => Generator<Span> {
  // The first reading of a mark takes its backslashes literally.
  const search = textSearch(some.map(({ text }) => reader(text)[0]?.signs ?? []));
  return function* find(text) {
    for (const reading of reader(text))
      for (const hit of search(reading.signs)) {
        const span = spanOf(text, reading, hit, some[hit.which]);
        if (span) yield span;
      }
  };
}

/** Null if the text around the hit shows that it is not a mark. */
function spanOf(text: string, { starts, ends }: Reading, { from, to }: Hit, mark: Mark | undefined): Span | null {
  const [start = 0, end = 0] = [starts[from], ends[to - 1]];
  // It would begin or end within a character.
  if (start === starts[from - 1] || end === ends[to]) return null;
  const before = mark && foundAt(mark.before, text, start);
  if (!before || !foundAt(mark.behind, text, end)) return null;
  return { start: start - (before[1] ?? "").length, end };
}

function foundAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/**
 * The first of overlapping spans counts, and the longest of those that begin together, so that nothing of a longer name
 * is left.
 */
function withoutSpans(text: string, spans: Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), ERASED);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** A value of JSON with other texts in the place of its own; the names of members stay. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, change)]));
}

/** A value of JSON without the entries of lists that an id of the person is, or that name the person by `id`. */
export function withoutEntries(value: unknown, isId: (text: unknown) => boolean): unknown {
  if (Array.isArray(value)) {
    const left = value.filter((entry) => !isId(entry) && !isId((entry as { id?: unknown } | null)?.id));
    return left.map((entry) => withoutEntries(entry, isId));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutEntries(member, isId)]));
}
