import { type Subject, uuidsOfSubject } from "./subject.ts";

/** What stands in a text in the place of what was erased. */
export const ERASED = "[erased]";

/** Patterns of LIKE for texts in lower case that hold an id of the person. */
export function idPatterns(subject: Subject): string[] {
  return uuidsOfSubject(subject).map((uuid) => `%${uuid}%`);
}

/** The same for anything by which the person is known, in JSON as in plain text. */
export function markPatterns(subject: Subject): string[] {
  const forms = subject.marks.flatMap((mark) => [mark, JSON.stringify(mark).slice(1, -1)]);
  const texts = [...new Set(forms)].map((form) => `%${form.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`);
  return [...idPatterns(subject), ...texts];
}

/** Gives the function that takes everything by which the person is known out of a text, in any letter case. */
export function redactor(subject: Subject): (text: string) => string {
  // The longest first, so that a name that is a part of another leaves nothing of that.
  const marks = [...subject.marks, ...uuidsOfSubject(subject)].toSorted((a, b) => b.length - a.length);
  const found = new RegExp(marks.map(literal).join("|"), "giu");
  return (text) => text.replaceAll(found, ERASED);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
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
