import { contactMarks, idMark, type Mark, nameMarks } from "./mark-forms.ts";
import type { Reader, Reading } from "./readings.ts";
import { type Subject, uuidsOfSubject } from "./subject.ts";
import { type Hit, textSearch } from "./text-search.ts";

/** Text in the place of an erased one. */
export const ERASED = "[erased]";

/** Finds a person in texts, in those of JSON as in plain ones. docs/guides/data-protection.md#how-texts-name-somebody */
export interface Marks {
  /** Patterns of LIKE for `searched` texts. One that names the person matches one; others may too, so `areIn` has the last word. */
  patterns: string[];
  areIn(text: string): boolean;
  /** The text with `[erased]` in the place of everything by which the person is known. */
  redact(text: string): string;
}

/** Everything by which a person is known: ids, e-mail addresses, telephone numbers and names. */
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

/** PostgreSQL tries the patterns one by one, which takes longer than to send a text and search it here when there are more. */
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
  // The first reading of a mark takes its backslashes for what they are.
  const search = textSearch(some.map(({ text }) => reader(text)[0]?.signs ?? []));
  return function* find(text) {
    for (const reading of reader(text))
      for (const hit of search(reading.signs)) {
        const span = spanOf(text, reading, hit, some[hit.which]);
        if (span) yield span;
      }
  };
}

/** Null when something stands around the hit by which it is no mark. */
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
