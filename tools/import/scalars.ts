import type { Column } from "./columns.ts";
import { type DateOrders, dayIn, yearIn } from "./dates.ts";
import type { ImportKind } from "./headings.ts";
import type { ImportField } from "./new-fields.ts";
import { type NumberColumn, numberIn } from "./numbers.ts";
import { holdsDates } from "./resources.ts";

/** Decisions about the dates and numbers of a file. */
export interface Decided {
  kind: ImportKind;
  orders: DateOrders;
  numbers: Map<Column, NumberColumn>;
  /** YYYY-MM-DD */
  today: string;
}

/** The value of a cell, none for a date of zeros, or the fault of the cell. */
interface CellValue {
  value?: string | undefined;
  fault?: string | undefined;
}

/**
 * The value of a native field of one value. Words and numbers that mean one of a few choices become it, dates, numbers
 * and years their canonical form; all else is taken as it is.
 */
export function nativeValue(decided: Decided, column: Column, name: string, text: string): CellValue {
  if (name === "foundationYear") return yearIn(text);
  const written = writtenValue(decided, column, undefined, text);
  if (written) return written;
  if (name === "gender") return { value: GENDERS.get(text.toLowerCase()) ?? text };
  return { value: name === "employeeRange" ? employeeRange(text) : text };
}

/** The canonical form of a date or number; undefined where a column holds neither. */
export function writtenValue(
  { kind, orders, numbers, today }: Decided,
  column: Column,
  field: ImportField | undefined,
  text: string,
): CellValue | undefined {
  const native = column.target.to === "field" ? column.target.name : undefined;
  if (holdsDates(kind, column, field))
    return dayIn(text, orders.get(column) ?? "dmy", native === "birthday" ? today : undefined);
  const written = numbers.get(column);
  return written && numberIn(text, written, native);
}

/** Cell in lower case → gender. */
const GENDERS = new Map(
  Object.entries({
    Male: ["m", "male", "man", "männlich", "homme", "hombre"],
    Female: ["f", "w", "female", "woman", "weiblich", "femme", "mujer"],
    Other: ["x", "other", "d", "divers"],
    Unknown: ["unknown"],
  }).flatMap(([gender, words]) => words.map((word) => [word, gender])),
);

const RANGES: [most: number, range: string][] = [
  [10, "1-10"],
  [50, "11-50"],
  [200, "51-200"],
  [500, "201-500"],
  [1000, "501-1000"],
  [5000, "1001-5000"],
  [10_000, "5001-10000"],
  [Number.POSITIVE_INFINITY, "10000+"],
];

/**
 * One number of employees, two of which all between lie in one range, or the least of the last range: `1,001-5,000`,
 * `10,001+`.
 */
const EMPLOYEES = /^(?<least>\d{1,9})(?:-(?<most>\d{1,9})|(?<more>\+))?$/;
const AROUND_EMPLOYEES = /[,.](?=\d{3}(?!\d))|\s|employees|mitarbeiter(?:innen)?/gi;

function employeeRange(text: string): string {
  const { least, most, more } = EMPLOYEES.exec(text.replaceAll(AROUND_EMPLOYEES, "").replace("–", "-"))?.groups ?? {};
  if (least === undefined || Number(most ?? least) === 0) return text;
  const range = rangeOf(Number(most ?? least) + (more ? 1 : 0));
  const isOne = more ? range === RANGES.at(-1)?.[1] : rangeOf(Math.max(Number(least), 1)) === range;
  return isOne ? range : text;
}

function rangeOf(employees: number): string {
  return RANGES.find(([last]) => employees <= last)?.[1] ?? "";
}
