import type { OrderKind } from "./document.ts";
import { type Answered, folded, scaled, valueAt } from "./oracle.ts";

// The order of a list by docs/guides/sorting.md, told over records as the API answers them. It shares nothing with
// engine/sorting.

/** The order in which a list is asked for. */
export interface Order {
  field: string;
  kind: OrderKind;
  isDescending: boolean;
  /** Labels of the options of a single select, in their order. */
  options?: readonly string[];
}

type Key = Buffer | bigint | number | string;

/** Number of characters of a text that count. */
const COUNTED_CHARACTERS = 200;

/** The records in an order: those without a value last, and equal ones by creation, oldest first, in either direction. */
export function inOrder<Record extends Answered>(records: Record[], order: Order): Record[] {
  const keyed = records.map((record) => ({ record, key: keyOf(record, order) }));
  return keyed
    .toSorted((a, b) => byKey(a.key, b.key, order.isDescending) || (a.record.id < b.record.id ? -1 : 1))
    .map(({ record }) => record);
}

function byKey(one: Key | null, other: Key | null, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return isDescending ? -compare(one, other) : compare(one, other);
}

/** The bytes of UTF-8 have the order of code points. */
function compare(one: Key, other: Key): number {
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return Buffer.compare(one, other);
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The sort key of a record; null without a value. */
export function keyOf(record: Answered, { field, kind, options = [] }: Order): Key | null {
  const value = valueAt(record, field);
  if (value === null || value === undefined || value === "") return null;
  switch (kind) {
    case "TEXT":
      return Buffer.from([...folded(String(value))].slice(0, COUNTED_CHARACTERS).join(""));
    case "NUMBER":
      return scaled(String(value));
    case "DATE":
      return String(value);
    case "OPTION":
      return options.indexOf(String(value));
    default:
      return kind satisfies never;
  }
}

/** The parameter of a list for an order. */
export function toSort({ field, isDescending }: Order): string {
  return `sort=${encodeURIComponent(`${isDescending ? "-" : ""}${field}`)}`;
}
