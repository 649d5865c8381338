import type { FilterKind } from "../../../model/fields/field.ts";

// What a filter means by docs/guides/filters.md, told over records as the API answers them. It shares nothing with
// engine/filters, and it sees what the caller sees because it looks at what the caller was answered.

/** A record as it was answered. */
export type Answered = Record<string, unknown> & { id: string };

/** The values of a condition, as a client names them. */
export interface Asked {
  values: string[];
  ids: string[];
  emails: string[];
}

export interface Question {
  field: string;
  kind: FilterKind;
  operator: string;
  asked: Asked;
}

/** Ids of merged records → their survivors. */
export type Aliases = Map<string, string>;

/** Whether a record meets a condition. */
export function meets(record: Answered, { field, kind, operator, asked }: Question, aliases: Aliases): boolean {
  const entries = entriesOf(record, field, kind);
  const positive = operator.replace(/^not_/, "");
  const holds = asks(positive, kind, entries, asked, aliases);
  return operator.startsWith("not_") ? !holds : holds;
}

type Entry = string | { id: string; email?: string };

/** The values that a record has in a field; none when it is unset. */
export function entriesOf(record: Answered, field: string, kind: FilterKind): Entry[] {
  const value = valueAt(record, field);
  const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined && one !== "");
  if (kind === "CHOICE") return all.filter((one) => one !== "Unknown");
  return kind === "DAY" ? all.map((one) => String(one).slice(0, 10)) : all;
}

/** The value of a field in the answer for a record. */
export function valueAt(record: Answered, field: string): unknown {
  const [, rest] = /^customFieldValues\.(.*)$/s.exec(field) ?? [];
  if (rest === undefined) return field.split(".").reduce<unknown>(member, record);
  const [, group, name] = /^(grp_[^.]*)\.(.*)$/s.exec(rest) ?? [];
  const values = record.customFieldValues;
  return group === undefined ? member(values, rest) : member(member(values, group), String(name));
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function asks(operator: string, kind: FilterKind, entries: Entry[], asked: Asked, aliases: Aliases): boolean {
  const [value = ""] = asked.values;
  const texts = entries.map(String);
  switch (operator) {
    case "empty":
      return entries.length === 0;
    case "like":
      return texts.some((text) => folded(text).includes(folded(value)));
    case "gt":
      return texts.some((text) => compare(kind, text, value) > 0);
    case "lt":
      return texts.some((text) => compare(kind, text, value) < 0);
    case "eq":
      if (kind === "CHOICE") return (texts[0] ?? "Unknown") === value;
      return texts.some((text) => compare(kind, text, value) === 0);
    case "in":
      if (kind === "CHOICE") return asked.values.includes(texts[0] ?? "Unknown");
      return entries.some((entry) => names(asked, aliases).some((name) => name(entry)));
    case "all": {
      const all = names(asked, aliases);
      return all.every((name) => entries.some(name)) && entries.every((entry) => all.some((name) => name(entry)));
    }
    default:
      throw new Error(`The oracle does not know the operator ${operator}.`);
  }
}

/** For each asked value, whether it names an entry. */
function names({ values, ids, emails }: Asked, aliases: Aliases): ((entry: Entry) => boolean)[] {
  return [
    ...values.map((value) => (entry: Entry) => typeof entry === "string" && nfc(entry) === nfc(value)),
    ...ids.map((id) => (entry: Entry) => typeof entry === "object" && entry.id === (aliases.get(id) ?? id)),
    ...emails.map(
      (email) => (entry: Entry) => typeof entry === "object" && folded(entry.email ?? "\u0000") === folded(email),
    ),
  ];
}

function compare(kind: FilterKind, text: string, value: string): number {
  const [one, other] = kind === "NUMBER" ? [scaled(text), scaled(value)] : [nfc(text), nfc(value)];
  if (one === other) return 0;
  return one > other ? 1 : -1;
}

/** A decimal of at most ten digits after the point as a whole number. */
export function scaled(decimal: string): bigint {
  const [, sign = "", whole = "", fraction = ""] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const digits = BigInt(whole + fraction.padEnd(10, "0").slice(0, 10));
  return sign === "-" ? -digits : digits;
}

const nfc = (text: string): string => text.normalize("NFC");
/** The form in which letter case and composition make no difference. */
export const folded = (text: string): string =>
  nfc(Array.from(nfc(text).toLowerCase(), (letter) => usualForm(letter)).join(""));

/** The lower case of its capital, where an expression that ignores case takes the two for one letter. */
function usualForm(letter: string): string {
  const usual = letter.toUpperCase().toLowerCase();
  return /^\p{L}|\u0345$/u.test(letter) && new RegExp(`^${letter}$`, "iu").test(usual) ? usual : letter;
}
