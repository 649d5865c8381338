import { comparable } from "../../lib/values/text.ts";
import { CommandError } from "../admin.ts";
import { addressPartOf, fieldOf, type ImportKind, NATIVE_FIELDS } from "./headings.ts";
import type { Mapped } from "./map-file.ts";

/** Where the cells of a column go. */
export type Target =
  | { to: "field"; name: string; isList: boolean }
  | { to: "address"; part: string }
  /** A custom field of the group, by name. */
  | { to: "custom"; name: string }
  | { to: "nowhere"; because: "unnamed" | "unknown" | "repeated" | "mapped" | "refusal" };

export interface Column {
  index: number;
  heading: string;
  target: Target;
  pattern?: RegExp | undefined;
  split?: string | RegExp | undefined;
}

interface Known {
  kind: ImportKind;
  map: Map<string, Mapped>;
  /** Names of the custom fields of the group. */
  fields: string[];
  /** Whether unknown columns become custom fields. */
  makesFields: boolean;
}

/** Where each column goes, by the map or else by its heading. docs/guides/import.md#columns */
export function columnsOf(headings: string[], known: Known): Column[] {
  const mapped = headings.map((heading, index): Column | undefined => {
    const entry = known.map.get(heading);
    return (
      entry && {
        index,
        heading: heading.trim(),
        target: targetByMap(entry.field, known),
        pattern: entry.pattern,
        split: entry.split,
      }
    );
  });
  const taken = new Set(mapped.flatMap((column) => (column ? nameOf(column.target) : [])));
  const before = new Set<string>();
  const columns = headings.map((heading, index): Column => {
    const isRepeated = before.has(comparable(heading.trim()));
    before.add(comparable(heading.trim()));
    return (
      mapped[index] ?? { index, heading: heading.trim(), target: targetByHeading(heading, isRepeated, known, taken) }
    );
  });
  return withoutLonePartsOfAddresses(columns, known);
}

/** Where a column goes by the map: to a native field, or else to the custom field of that name. */
function targetByMap(field: string | null, { kind }: Known): Target {
  if (field === null) return { to: "nowhere", because: "mapped" };
  const native = NATIVE_FIELDS[kind].find(({ name }) => name === field);
  return native ? { to: "field", name: native.name, isList: native.isList } : { to: "custom", name: field.trim() };
}

/**
 * Where a column goes by its heading. A field of one value takes the first column that means it, and a later one is a column
 * like any other. One that has the same heading as an earlier one is left out, though, unless it means a list: were it made a
 * custom field "Name", that field would take the names of the next file, and of this one when it is imported again.
 */
function targetByHeading(heading: string, isRepeated: boolean, known: Known, taken: Set<string>): Target {
  const name = heading.trim();
  if (name === "") return { to: "nowhere", because: "unnamed" };
  const hasField = known.fields.some((field) => comparable(field) === comparable(name));
  const native = fieldOf(known.kind, name);
  if (isRepeated && (hasField || !native?.isList)) return { to: "nowhere", because: "repeated" };
  if (hasField) return { to: "custom", name };
  if (native && (native.isList || !taken.has(native.name))) {
    taken.add(native.name);
    return { to: "field", name: native.name, isList: native.isList };
  }
  const part = known.kind === "objects" ? undefined : addressPartOf(name);
  if (part !== undefined && !taken.has(part)) {
    taken.add(part);
    return { to: "address", part };
  }
  return unknownTarget(name, known);
}

function unknownTarget(name: string, { makesFields }: Known): Target {
  return makesFields ? { to: "custom", name } : { to: "nowhere", because: "unknown" };
}

/** A state or a country alone makes no address: without a street, a city or a postal code it is a column like any other. */
function withoutLonePartsOfAddresses(columns: Column[], known: Known): Column[] {
  const parts = new Set(columns.flatMap(({ target }) => (target.to === "address" ? [target.part] : [])));
  if (["street", "city", "zip"].some((part) => parts.has(part))) return columns;
  return columns.map((column) =>
    column.target.to === "address" ? { ...column, target: unknownTarget(column.heading, known) } : column,
  );
}

function nameOf(target: Target): string[] {
  return target.to === "field" || target.to === "custom" ? [target.name] : [];
}

/** @throws CommandError when no column holds a name, without which no record can be found or made */
export function needName(columns: Column[], kind: ImportKind, headings: string[]): void {
  const names = kind !== "people" ? ["name"] : ["firstName", "lastName", "fullName", "emails"];
  if (columns.some(({ target }) => target.to === "field" && names.includes(target.name))) return;
  throw new CommandError(
    `No column is known to hold the name. Say which in a file for --map, for example "${headings[0]}: ${names.at(-2) ?? names[0]}".`,
  );
}
