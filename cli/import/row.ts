import { customFieldTypes } from "../../lib/custom-fields/index.ts";
import type { Column } from "./columns.ts";
import { type AddressParts, composeAddresses, composeName, type NamePart } from "./composed.ts";
import type { NamedField } from "./new-fields.ts";

/** A row as `people-import.write` takes it. */
export interface ImportRow {
  fields: Record<string, unknown>;
  values: Record<string, unknown>;
}

export interface Refused {
  line: number;
  /** Null when it is about the row as a whole. */
  column: string | null;
  reason: string;
}

/** The values of a cell: none of an empty one, several where it is split. Cells are taken exactly as they are. */
export function valuesOf({ pattern, split }: Column, cell: string): { values: string[]; fault?: string } {
  if (cell === "") return { values: [] };
  const parts = split === undefined ? [cell] : cell.split(split).map((part) => part.trim());
  const values: string[] = [];
  for (const part of parts) {
    const match = pattern?.exec(part);
    if (pattern && !match)
      return { values: [], fault: `"${part.slice(0, 100)}" does not match the pattern ${pattern.source}` };
    const value = match ? (match[1] ?? match[0]) : part;
    if (value !== "") values.push(value);
  }
  return { values };
}

/** A row as a record, or why it is refused. */
export function toRecord(
  columns: Column[],
  customFields: Map<string, NamedField>,
  cells: string[],
): ImportRow | Omit<Refused, "line"> {
  const record: Growing = { fields: new Map(), values: new Map(), addresses: new Map(), name: new Map(), customFields };
  for (const column of columns) {
    const { values, fault } = valuesOf(column, cells[column.index] ?? "");
    if (fault !== undefined) return { column: column.heading, reason: fault };
    if (values.length > 0) place(column, values, record);
  }
  const addresses = composeAddresses(record.addresses);
  if (addresses.length > 0) addField(record.fields, { name: "addresses", isList: true }, addresses);
  const named = (field: string) => String(record.fields.get(field) ?? "");
  const fullName = composeName(record.name, named("firstName"), named("lastName"));
  if (fullName !== undefined && !record.fields.has("fullName")) record.fields.set("fullName", fullName);
  return { fields: Object.fromEntries(record.fields), values: Object.fromEntries(record.values) };
}

/** Custom fields may have any name: `__proto__` would be lost by an assignment to an object. */
interface Growing {
  fields: Map<string, unknown>;
  values: Map<string, unknown>;
  addresses: AddressParts;
  name: Map<NamePart, string>;
  customFields: Map<string, NamedField>;
}

function place(column: Column, values: string[], record: Growing): void {
  const { target } = column;
  if (target.to === "address") {
    const parts = record.addresses.get(target.of) ?? new Map<string, string[]>();
    record.addresses.set(target.of, parts.set(target.part, column.split === undefined ? [values.join(", ")] : values));
  }
  if (target.to === "name") record.name.set(target.part, values.join(" "));
  if (target.to === "field") addField(record.fields, target, values);
  if (target.to === "custom") {
    const field = record.customFields.get(target.name);
    const value = field && customFieldTypes[field.type].fromTexts(values, column.split !== undefined);
    record.values.set(target.name, value ?? values.join(" "));
  }
}

function addField(
  fields: Growing["fields"],
  { name, isList }: { name: string; isList: boolean },
  values: string[],
): void {
  if (!isList) fields.set(name, scalar(name, values.join(" ")));
  else
    fields.set(name, [
      ...((fields.get(name) as unknown[] | undefined) ?? []),
      ...values.map((value) => (name === "companies" ? { name: value } : value)),
    ]);
}

/** Cell in lower case → gender. */
const GENDERS = new Map([
  ["m", "Male"],
  ["male", "Male"],
  ["f", "Female"],
  ["female", "Female"],
  ["w", "Female"],
  ["other", "Other"],
  ["unknown", "Unknown"],
  ["x", "Other"],
]);

/**
 * The value of a field of one value. Words and numbers that mean one of a few choices become it; all else is taken as it
 * is.
 */
function scalar(name: string, text: string): string {
  if (name === "gender") return GENDERS.get(text.trim().toLowerCase()) ?? text;
  return name === "employeeRange" ? employeeRange(text) : text;
}

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

function employeeRange(text: string): string {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) return text;
  return RANGES.find(([most]) => Number(text) <= most)?.[1] ?? text;
}
