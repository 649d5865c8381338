import { quoted } from "contact-workspace-readers/cell-text";
import { isEmailAddress } from "../../base/values/email-address.ts";
import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { ImportRow } from "../../engine/records/import-entry.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { entriesOf } from "../../model/custom-fields/list.ts";
import { valuesOf } from "./cells.ts";
import type { Column } from "./columns.ts";
import { type AddressParts, composeAddresses, composeName, type NamePart } from "./composed.ts";
import { ID_FIELD, type ImportKind } from "./headings.ts";
import { withItsDigits } from "./lost-digits.ts";
import type { ImportField } from "./new-fields.ts";
import { RESOURCES } from "./resources.ts";
import { type Decided, nativeValue, writtenValue } from "./scalars.ts";

/** A cell that cannot be taken. */
export interface CellFault {
  /** The heading of its column; null when it is about the row as a whole. */
  column: string | null;
  reason: string;
}

/** A row as a record, without the cells that cannot be taken. */
export interface ReadRow {
  record: ImportRow;
  faults: CellFault[];
  /** Name of a list → the headings of the columns from which its entries come, in their order. */
  origins: Map<string, string[]>;
}

const EXAMPLE_UUID = "0190a6e2-5c3b-7f00-8000-000000000000" as Uuid;

/** Facts about a file that are known before its rows are read. */
export interface Reading extends Decided {
  /** Those that go somewhere. */
  columns: Column[];
  /** Custom fields by the names in `columns`. */
  customFields: Map<string, ImportField>;
}

/** Reads the cells of a row. */
export function readRow(reading: Reading, cells: string[]): ReadRow {
  const row: Growing = { fields: new Map(), values: new Map(), lost: new Set(), faults: [], origins: new Map() };
  const addresses: AddressParts = new Map();
  const nameParts = new Map<NamePart, string>();
  for (const column of reading.columns) {
    const texts = textsIn(reading, column, cells[column.index] ?? "", row);
    if (texts.length === 0) continue;
    const { target } = column;
    if (target.to === "address") addAddressPart(addresses, target, column, texts);
    else if (target.to === "name") nameParts.set(target.part, texts.join(" "));
    else place(reading, column, texts, row);
  }
  addComposed(row, addresses, nameParts);
  return { record: recordOf(row), faults: row.faults, origins: row.origins };
}

/** The values of a cell that can be taken. Of numbers another rule tells whether digits are lost. */
function textsIn({ numbers }: Reading, column: Column, cell: string, row: Growing): readonly string[] {
  const { values, fault } = valuesOf(column, cell);
  if (fault !== undefined) refuse(row, column, fault);
  return numbers.has(column) ? values : withoutLost(row, column, values);
}

/** The values that have kept their digits; the others are refused. */
function withoutLost(row: Growing, column: Column, values: readonly string[]): string[] {
  return values.flatMap((text) => {
    const read = withItsDigits(text);
    if ("value" in read) return [read.value];
    refuse(row, column, read.fault);
    return [];
  });
}

function recordOf({ id, fields, values, lost }: Growing): ImportRow {
  const record: ImportRow = {
    ...(id !== undefined && { id }),
    fields: Object.fromEntries(fields),
    values: Object.fromEntries(values),
  };
  if (lost.size > 0) record.lost = [...lost];
  return record;
}

function addAddressPart(
  addresses: AddressParts,
  { part, of }: { part: string; of: string },
  { heading, split }: Column,
  values: readonly string[],
): void {
  const address = addresses.get(of) ?? { parts: new Map<string, readonly string[]>(), headings: [] };
  address.parts.set(part, split === undefined ? [values.join(", ")] : values);
  address.headings.push(heading);
  addresses.set(of, address);
}

function addComposed(row: Growing, addresses: AddressParts, nameParts: Map<NamePart, string>): void {
  for (const { parts, headings } of addresses.values())
    addToList(row, "addresses", headings.join(", "), composeAddresses(parts));
  addFullName(row, nameParts);
}

/** A full name in its own cell takes precedence over one made of its parts. */
function addFullName(row: Growing, parts: Map<NamePart, string>): void {
  if (parts.size === 0 || row.fields.has("fullName")) return;
  const named = (field: string) => String(row.fields.get(field) ?? "");
  const fullName = composeName(parts, named("firstName"), named("lastName"));
  if (fullName !== undefined) row.fields.set("fullName", fullName);
}

/** Custom fields may have any name: `__proto__` would be lost by an assignment to an object. */
interface Growing {
  id?: string;
  fields: Map<string, unknown>;
  values: Map<string, unknown>;
  lost: Set<string>;
  faults: CellFault[];
  origins: Map<string, string[]>;
}

function refuse(row: Growing, { heading, target }: Column, reason: string): void {
  row.faults.push({ column: heading, reason });
  if (target.to === "field") row.lost.add(target.name);
  if (target.to === "id") row.lost.add(ID_FIELD);
}

function place(reading: Reading, column: Column, texts: readonly string[], row: Growing): void {
  const { target } = column;
  if (target.to === "field" && target.isList) placeList(reading, column, target.name, texts, row);
  else if (target.to === "field") {
    const { value, fault } = nativeValue(reading, column, target.name, texts.join(" "));
    if (fault !== undefined) refuse(row, column, fault);
    else if (value !== undefined) row.fields.set(target.name, value);
  } else if (target.to === "id") placeId(reading, column, texts, row);
  else if (target.to === "custom") placeCustom(reading, column, target.name, texts, row);
}

function placeId({ kind }: Reading, column: Column, [id = ""]: readonly string[], row: Growing): void {
  const record = RESOURCES[kind].kind;
  if (uuidOf(record, id)) row.id = id;
  else
    refuse(row, column, `${quoted(id)} is not the id of a ${record}, which looks like ${toId(record, EXAMPLE_UUID)}`);
}

/** An invalid email address identifies no person, and is left out. */
function placeList({ kind }: Reading, column: Column, name: string, texts: readonly string[], row: Growing): void {
  const isTaken = (text: string) => name !== "emails" || isEmailAddress(text);
  for (const text of texts) if (!isTaken(text)) refuse(row, column, noEmailAddress(text));
  const taken = texts.filter(isTaken);
  if (taken.length > 0) addToList(row, name, column.heading, references(kind, name, column, taken));
}

function noEmailAddress(text: string): string {
  const hint = /^\/?o=/i.test(text) ? "it is known within Exchange only" : "write it like ada@example.com";
  return `${quoted(text)} is not an e-mail address: ${hint}`;
}

/**
 * The entries of a list. A company name becomes a link, which creates the company if there is none. Links of objects
 * lead to existing records, and become ids where rows are written (engine/records/import-names.ts).
 */
function references(kind: ImportKind, name: string, { split }: Column, texts: readonly string[]): unknown[] {
  const link = RESOURCES[kind].links.find((one) => one.name === name);
  if (!link) return [...texts];
  if (link.storage.byName) return texts.map((text) => ({ name: text }));
  return entriesOf([...texts], split !== undefined).map((id) => ({ id }));
}

function addToList(row: Growing, name: string, heading: string, entries: unknown[]): void {
  const list = row.fields.get(name) as unknown[] | undefined;
  if (!list) {
    row.fields.set(name, entries);
    row.origins.set(
      name,
      entries.map(() => heading),
    );
    return;
  }
  const known = new Set(list.map((entry) => JSON.stringify(entry)));
  for (const entry of entries) {
    // The same address in two columns counts once, as it would the next time, beside the one that is there.
    if (known.has(JSON.stringify(entry))) continue;
    list.push(entry);
    row.origins.get(name)?.push(heading);
  }
}

function placeCustom(reading: Reading, column: Column, name: string, texts: readonly string[], row: Growing): void {
  const field = reading.customFields.get(name);
  const written = writtenValue(reading, column, field, texts.join(" "));
  if (written?.fault !== undefined) refuse(row, column, written.fault);
  const taken = field && customFieldTypes[field.type].fromTexts([...texts], column.split !== undefined);
  const value = written ? written.value : (taken ?? texts.join(" "));
  if (value !== undefined) row.values.set(name, value);
}
