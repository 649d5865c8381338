import { type Answered, folded, scaled, valueAt } from "./filters/oracle.ts";

// Aggregates as docs/guides/aggregates.md describes them, made of records as the API answers them. This shares nothing with
// engine/aggregates, and it sees what the caller sees because it looks at what the caller was answered.

/** Kind of the values of a group, which decides how they are compared. */
export type GroupKind = "TEXT" | "NUMBER" | "DATE" | "OPTION" | "REFERENCE";

export const UNITS = ["day", "week", "month", "quarter", "year"] as const;
export type Unit = (typeof UNITS)[number];

/** A field by whose values records are counted. */
export interface Dimension {
  /** As it stands in `groupBy`. */
  name: string;
  field: string;
  kind: GroupKind;
  unit?: Unit;
  /** Labels of options, in their order. */
  options?: readonly string[];
}

export const MEASURE_KINDS = ["sum", "avg", "min", "max"] as const;

export interface Measure {
  kind: (typeof MEASURE_KINDS)[number];
  field: string;
  of: "NUMBER" | "DATE";
}

type Told = { count: number } & Record<string, unknown>;

/** An aggregate as it is answered. */
export interface Aggregate {
  items: ({ group: unknown[] } & Told)[];
  total: Told;
  truncated?: true;
}

const GROUPS_MAX = 1000;
/** The records of oracle.ts have at most ten digits after the point. */
const PLACES = 10;

/** Counts records. */
export function aggregateOf(records: Answered[], dimensions: Dimension[], measures: Measure[]): Aggregate {
  const total = told(records, measures);
  if (dimensions.length === 0) return { items: [], total };
  const groups = new Map<string, { group: unknown[]; records: Answered[] }>();
  for (const record of records) {
    for (const group of combinations(dimensions.map((dimension) => valuesOf(record, dimension)))) {
      const key = JSON.stringify(group);
      const known = groups.get(key) ?? { group, records: [] };
      known.records.push(record);
      groups.set(key, known);
    }
  }
  const items = [...groups.values()]
    .map((one) => ({ group: one.group, ...told(one.records, measures) }))
    .sort((a, b) => compareGroups(dimensions, a, b));
  return {
    items: items.slice(0, GROUPS_MAX),
    total,
    ...(items.length > GROUPS_MAX && { truncated: true as const }),
  };
}

/** The values of a record, each once; null alone if it has none. */
function valuesOf(record: Answered, { field, kind, unit }: Dimension): unknown[] {
  const value = valueAt(record, field);
  const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined && one !== "");
  const values = kind === "DATE" ? all.map((one) => periodOf(String(one), unit ?? "day")) : all;
  return values.length > 0 ? values : [null];
}

function combinations(lists: unknown[][]): unknown[][] {
  return lists.reduce<unknown[][]>((made, list) => made.flatMap((one) => list.map((value) => [...one, value])), [[]]);
}

/** The period of a date, or of a time in UTC. */
export function periodOf(date: string, unit: Unit): string {
  const [year = "", month = "", day = ""] = date.slice(0, 10).split("-");
  switch (unit) {
    case "day":
      return `${year}-${month}-${day}`;
    case "week":
      return weekOf(Number(year), Number(month), Number(day));
    case "month":
      return `${year}-${month}`;
    case "quarter":
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case "year":
      return year;
    default:
      return unit satisfies never;
  }
}

/** The ISO week: that of the Thursday of the same week, whose days are counted from 1 January. */
function weekOf(year: number, month: number, day: number): string {
  const date = dayNumber(year, month, day);
  // Day 1, the first of January of the year 1, is a Monday.
  const thursday = date - ((date - 1) % 7) + 3;
  const weekYear = [year - 1, year, year + 1].findLast((one) => dayNumber(one, 1, 1) <= thursday) ?? year;
  const week = Math.floor((thursday - dayNumber(weekYear, 1, 1)) / 7) + 1;
  return `${String(weekYear).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 31 December before the year 1, by the Gregorian calendar. */
function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const inMonths = MONTHS.slice(0, month - 1).reduce((sum, days) => sum + days, 0) + (isLeap && month > 2 ? 1 : 0);
  return before * 365 + leapDays + inMonths + day;
}

type Row = { group: unknown[]; count: number };

function compareGroups(dimensions: Dimension[], a: Row, b: Row): number {
  const by = (dimension: Dimension, i: number) => compareValues(dimension, a.group[i], b.group[i]);
  const dates = dimensions.map((dimension, i) => (dimension.kind === "DATE" ? by(dimension, i) : 0));
  const others = dimensions.map((dimension, i) => (dimension.kind === "DATE" ? 0 : by(dimension, i)));
  return [...dates, b.count - a.count, ...others].find((order) => order !== 0) ?? 0;
}

function compareValues({ kind, options = [] }: Dimension, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  switch (kind) {
    case "NUMBER":
      return compare(scaled(String(a)), scaled(String(b)));
    case "REFERENCE":
      return compare((a as { id: string }).id, (b as { id: string }).id);
    case "DATE":
      return compare(String(a), String(b));
    case "OPTION":
      return (
        compareTexts(folded(String(a)), folded(String(b))) || options.indexOf(String(a)) - options.indexOf(String(b))
      );
    case "TEXT":
      return compareTexts(folded(String(a)), folded(String(b))) || compareTexts(String(a), String(b));
    default:
      return kind satisfies never;
  }
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The bytes of UTF-8 have the order of code points. */
function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function told(records: Answered[], measures: Measure[]): Told {
  const result: Record<string, Record<string, string | null>> = {};
  for (const measure of measures) {
    const values = records
      .map((record) => valueAt(record, measure.field))
      .filter((one) => one !== null && one !== undefined)
      .map(String);
    result[measure.kind] = { ...result[measure.kind], [measure.field]: measured(measure, values) };
  }
  return { count: records.length, ...result };
}

function measured({ kind, of }: Measure, values: string[]): string | null {
  if (values.length === 0) return null;
  if (of === "DATE") return (kind === "min" ? values.toSorted()[0] : values.toSorted().at(-1)) ?? null;
  const numbers = values.map(scaled);
  const sum = numbers.reduce((a, b) => a + b, 0n);
  const sorted = numbers.toSorted((a, b) => compare(a, b));
  const result = { sum, avg: rounded(sum, BigInt(numbers.length)), min: sorted[0], max: sorted.at(-1) }[kind];
  return printed(result ?? 0n);
}

/** The quotient as a whole number, rounded half away from zero. */
function rounded(sum: bigint, count: bigint): bigint {
  const size = sum < 0n ? -sum : sum;
  const quotient = (size * 2n + count) / (count * 2n);
  return sum < 0n ? -quotient : quotient;
}

/** A whole number of the last of ten places as a decimal in canonical form. */
function printed(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(PLACES + 1, "0");
  const fraction = digits.slice(-PLACES).replace(/0+$/, "");
  return `${number < 0n ? "-" : ""}${digits.slice(0, -PLACES)}${fraction === "" ? "" : `.${fraction}`}`;
}
