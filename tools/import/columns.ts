import { quoted, trimmed } from "contact-workspace-readers/cell-text";
import type { Table } from "contact-workspace-readers/table";
import { comparable } from "../../base/values/text.ts";
import { USUAL_SPLITS } from "../export/list-cells.ts";
import { CommandError } from "../terminal/admin.ts";
import { NAME_PARTS, type NamePart } from "./composed.ts";
import { addressPartOf, fieldOf, isExactly, isLabelHeading } from "./heading-meaning.ts";
import { ID_FIELD, type ImportKind, NATIVE_FIELDS } from "./headings.ts";
import type { Mapped } from "./map-file.ts";
import { type Preset, type PresetColumn, presetColumn } from "./presets/preset.ts";

/** Target of the cells of a column. */
export type Target =
  | { to: "field"; name: string; isList: boolean }
  /** A part of an address, and the address that it belongs to if a record has several. */
  | { to: "address"; part: string; of: string }
  /** A part of the full name, besides first and last name. */
  | { to: "name"; name: "fullName"; part: NamePart }
  /** The id of the record, which is looked for and never written. */
  | { to: "id"; name: "id" }
  /** A custom field of the group, by name. */
  | { to: "custom"; name: string }
  | { to: "nowhere"; because: "unnamed" | "unknown" | "repeated" | "mapped" | "label" | "refusal" | "server" };

export interface Column {
  index: number;
  heading: string;
  target: Target;
  pattern?: RegExp | undefined;
  /** Separator of several values in a cell. */
  split?: string | RegExp | undefined;
}

interface Known {
  kind: ImportKind;
  /** The program that wrote the file. */
  preset?: Preset | undefined;
  map: Map<string, Mapped>;
  /** Names of the custom fields of the group. */
  fields: string[];
  /** Whether unknown columns become custom fields. */
  makesFields: boolean;
}

/** Targets of all columns, by the map or else by the heading. docs/guides/import-columns.md#columns */
export function columnsOf(headings: string[], known: Known): Column[] {
  const mapped = headings.map((heading, index): Column | undefined => {
    const entry = known.map.get(heading);
    if (!entry) return undefined;
    const target = targetByMap(entry.field, known);
    const split = entry.split ?? (entry.pattern ? undefined : usualSplit(target));
    return { index, heading, target, pattern: entry.pattern, split };
  });
  const placing: Placing = {
    known,
    taken: new Set(mapped.flatMap((column) => (column ? nameOf(column.target) : []))),
    exact: exactColumns(headings, known),
  };
  const before = new Set<string>();
  const columns = headings.map((heading, index): Column => {
    const isRepeated = before.has(comparable(heading));
    before.add(comparable(heading));
    return mapped[index] ?? columnByHeading({ heading, index, isRepeated }, placing);
  });
  return withoutLonePartsOfAddresses(columns, known);
}

/** Target of a column by the map: a native field, or else the custom field of that name. */
function targetByMap(field: string | null, { kind, fields }: Known): Target {
  if (field === null) return { to: "nowhere", because: "mapped" };
  const native = NATIVE_FIELDS[kind].find(({ name }) => name === field);
  if (field === ID_FIELD && !fields.some((name) => comparable(name) === ID_FIELD)) return { to: "id", name: "id" };
  return native ? { to: "field", name: native.name, isList: native.isList } : { to: "custom", name: field.trim() };
}

/** State while columns get their targets one after the other. */
interface Placing {
  known: Known;
  /** Fields and parts of addresses that a column has taken. */
  taken: Set<string>;
  /** Field of one value → the column whose heading is the very name of it. */
  exact: Map<string, number>;
}

interface Unplaced {
  heading: string;
  index: number;
  /** Whether an earlier column has the same heading. */
  isRepeated: boolean;
}

/** "Job Title" is the job title, whatever "Title" before it may be. */
function exactColumns(headings: string[], { kind }: Known): Map<string, number> {
  const exact = new Map<string, number>();
  for (const field of NATIVE_FIELDS[kind].filter(({ isList }) => !isList)) {
    const index = headings.findIndex((heading) => isExactly(field, heading));
    if (index >= 0) exact.set(field.name, index);
  }
  return exact;
}

/**
 * Target of a column by its heading. A field of one value takes the first column that means it; a later column is
 * treated like any other. A column with the same heading as an earlier one is left out, unless it means a list: as a
 * custom field "Name" it would take the names of the next file, and of this one when it is imported again.
 */
function columnByHeading(unplaced: Unplaced, placing: Placing): Column {
  const { heading, index, isRepeated } = unplaced;
  const { known } = placing;
  const at = (target: Target, split: Column["split"] = usualSplit(target)): Column => ({
    index,
    heading,
    target,
    split,
  });
  if (heading === "") return at({ to: "nowhere", because: "unnamed" });
  const hasField = known.fields.some((field) => comparable(field) === comparable(heading));
  const preset = known.preset && presetColumn(known.preset, known.kind, heading);
  if (isRepeated && (hasField || !fieldOf(known.kind, heading)?.isList))
    return at({ to: "nowhere", because: "repeated" });
  if (hasField) return at({ to: "custom", name: heading }, preset?.split);
  if (preset) return at(targetByPreset(preset, unplaced, placing), preset.split);
  return at(targetByHeading(unplaced, placing));
}

function targetByPreset({ to }: PresetColumn, { heading }: Unplaced, { known, taken }: Placing): Target {
  if (to === "nothing") return { to: "nowhere", because: "label" };
  const [what, ...rest] = to.split(" ");
  const namePart = NAME_PARTS.find((part) => what === "name" && part === rest[0]);
  if (namePart) return { to: "name", name: "fullName", part: namePart };
  const [of = "", part] = rest;
  if (what === "address" && part !== undefined) return { to: "address", part, of };
  const native = NATIVE_FIELDS[known.kind].find(({ name }) => name === to);
  if (!native || (!native.isList && taken.has(native.name))) return unknownTarget(heading, known);
  taken.add(native.name);
  return { to: "field", name: native.name, isList: native.isList };
}

function targetByHeading({ heading, index }: Unplaced, { known, taken, exact }: Placing): Target {
  const native = fieldOf(known.kind, heading);
  if (native && isFree(native.name, index, { taken, exact, isList: native.isList })) {
    taken.add(native.name);
    return { to: "field", name: native.name, isList: native.isList };
  }
  if (isLabelHeading(heading)) return { to: "nowhere", because: "label" };
  const address = known.kind === "objects" ? undefined : addressPartOf(known.kind, heading);
  if (address && !taken.has(`${address.of} ${address.part}`)) {
    taken.add(`${address.of} ${address.part}`);
    return { to: "address", ...address };
  }
  return unknownTarget(heading, known);
}

function isFree(
  field: string,
  index: number,
  { taken, exact, isList }: { taken: Set<string>; exact: Map<string, number>; isList: boolean },
): boolean {
  return isList || (!taken.has(field) && (exact.get(field) ?? index) === index);
}

function usualSplit(target: Target): RegExp | undefined {
  return target.to === "field" ? USUAL_SPLITS.get(target.name) : undefined;
}

function unknownTarget(name: string, { makesFields }: Known): Target {
  return makesFields ? { to: "custom", name } : { to: "nowhere", because: "unknown" };
}

/** Parts that an address needs: a state or a country alone is a column like any other. */
const NEEDED_PARTS = ["street", "city", "zip", "whole"];

function withoutLonePartsOfAddresses(columns: Column[], known: Known): Column[] {
  const whole = new Set(
    columns.flatMap(({ target }) => (target.to === "address" && NEEDED_PARTS.includes(target.part) ? [target.of] : [])),
  );
  return columns.map((column) =>
    column.target.to === "address" && !whole.has(column.target.of)
      ? { ...column, target: unknownTarget(column.heading, known) }
      : column,
  );
}

function nameOf(target: Target): string[] {
  return target.to === "field" || target.to === "custom" ? [target.name] : [];
}

const HEADINGS_TOLD_MAX = 8;

/** @throws CommandError when no column holds a name, without which no record can be found or made */
export function needName(columns: Column[], kind: ImportKind, { name: file, headings, headingLine }: Table): void {
  const names = kind !== "people" ? ["name"] : ["firstName", "lastName", "fullName", "emails"];
  const isName = ({ target }: Column) => target.to === "id" || (target.to === "field" && names.includes(target.name));
  if (columns.some(isName)) return;
  const told = headings.slice(0, HEADINGS_TOLD_MAX).map(quoted).join(", ");
  const more = headings.length > HEADINGS_TOLD_MAX ? ` and ${headings.length - HEADINGS_TOLD_MAX} more` : "";
  const example = `${trimmed(headings[0] ?? "")}: ${names.at(-2) ?? names[0]}`;
  throw new CommandError(
    `${file}: none of the headings in line ${headingLine} is known to mean the name: ${told}${more}. If that line is a record, put a line of headings above it; else say which column has the name in a file for --map, like ${quoted(example)}.`,
  );
}
