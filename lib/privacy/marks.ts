import { contactMarks, type Mark, nameMarks } from "./mark-forms.ts";
import { patternOf } from "./searched.ts";
import { type Subject, uuidsOfSubject } from "./subject.ts";

/** What stands in a text in the place of what was erased. */
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

function idMarks(subject: Subject): Mark[] {
  return uuidsOfSubject(subject).map((uuid) => ({ source: uuid, before: "", behind: "", patterns: [patternOf(uuid)] }));
}

function marks(all: Mark[]): Marks {
  // The longest first, so that a name that is a part of another leaves nothing of that.
  const sorted = all.toSorted((a, b) => b.source.length - a.source.length);
  const whole = sorted.map(({ source, before, behind }) => `${before}(?:${source})${behind}`).join("|");
  const [one, each] = [new RegExp(whole, "u"), new RegExp(whole, "gu")];
  return {
    patterns: [...new Set(all.flatMap(({ patterns }) => patterns))],
    areIn: (text) => one.test(text),
    redact: (text) => text.replaceAll(each, ERASED),
  };
}

/** Patterns of LIKE for texts that hold an id of the person. */
export function idPatterns(subject: Subject): string[] {
  return uuidsOfSubject(subject).map((uuid) => `%${uuid}%`);
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
