import { custom, type Issue } from "../../base/contract/issues.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Field, LinksStorage } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { customDefinition, sharedActivity } from "../filters/fields.ts";
import { knownFields, type Seen } from "../filters/known-fields.ts";

const UNITS = ["day", "week", "month", "quarter", "year"] as const;
export type Unit = (typeof UNITS)[number];

/** A field by whose values records are counted. A date has periods of a length. docs/guides/aggregates.md#groups */
export type Dimension =
  | { shape: "text"; field: string; column: string; isChoice: boolean }
  | { shape: "number"; column: string }
  | { shape: "createdBy" }
  | { shape: "groups" }
  | { shape: "links"; links: LinksStorage }
  | { shape: "date"; of: DateSource; unit: Unit }
  | { shape: "custom"; definition: FieldDefinition };

/** Place of a date. */
export type DateSource =
  | { shape: "createdAt" }
  | { shape: "activity" }
  | { shape: "column"; column: string }
  | { shape: "custom"; definition: FieldDefinition };

/**
 * The dimensions that `groupBy` names, in its order, or the issues of those that there are not.
 * docs/guides/aggregates.md#groups
 */
export function dimensionsOf(seen: Seen, groupBy: readonly string[]): { dimensions: Dimension[]; issues: Issue[] } {
  const dimensions: Dimension[] = [];
  const issues: Issue[] = [];
  for (const [i, name] of groupBy.entries()) {
    const dimension = dimensionOf(seen, name);
    if (!dimension) issues.push(custom(["groupBy", i], unknownDimension(seen, name)));
    else if (groupBy.indexOf(name) < i) issues.push(custom(["groupBy", i], `"${name.slice(0, 300)}" is named twice`));
    else dimensions.push(dimension);
  }
  return { dimensions, issues };
}

/** The field of the whole name, or the date in front of the last colon: the longest name that there is counts. */
function dimensionOf(seen: Seen, name: string): Dimension | undefined {
  const found = customDefinition(seen.scope, seen.definitions, seen.caller, name);
  const plain = found ? customDimension(found.definition) : nativeDimension(seen.resource, name);
  if (plain) return plain;
  const at = name.lastIndexOf(":");
  const unit = UNITS.find((one) => one === name.slice(at + 1));
  const of = unit && dateOf(seen, name.slice(0, Math.max(at, 0)));
  return unit && of && { shape: "date", of, unit };
}

function nativeDimension({ fields }: RecordType, name: string): Dimension | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field?.isGrouped) return undefined;
  const { storage, options } = field;
  switch (storage.shape) {
    case "column":
      return storage.type === "text"
        ? { shape: "text", field: name, column: storage.column, isChoice: options !== undefined }
        : { shape: "number", column: storage.column };
    case "links":
      return { shape: "links", links: storage };
    case "groups":
    case "createdBy":
      return { shape: storage.shape };
    default:
      return undefined;
  }
}

function customDimension(definition: FieldDefinition): Dimension | undefined {
  const { ordered, filter } = customFieldTypes[definition.type];
  if (filter === "TEXT") return undefined;
  if (ordered?.column !== "date_value") return { shape: "custom", definition };
  return { shape: "date", of: { shape: "custom", definition }, unit: "day" };
}

/** The date of this name; undefined for all else. */
export function dateOf({ resource, scope, definitions, caller }: Seen, name: string): DateSource | undefined {
  const found = customDefinition(scope, definitions, caller, name);
  if (found)
    return customFieldTypes[found.definition.type].ordered?.column === "date_value"
      ? { shape: "custom", definition: found.definition }
      : undefined;
  if (sharedActivity(resource).includes(name)) return { shape: "activity" };
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (field?.storage.shape === "createdAt") return { shape: "createdAt" };
  return field?.storage.shape === "column" && isDate(field)
    ? { shape: "column", column: field.storage.column }
    : undefined;
}

export function isDate({ filter }: Field): boolean {
  return filter === "DATE" || filter === "DAY";
}

function unknownDimension(seen: Seen, name: string): string {
  const known = knownFields(seen, name, {
    native: (field) => field.isGrouped === true || isDate(field),
    parts: sharedActivity(seen.resource),
    custom: ({ type }) => customFieldTypes[type].filter !== "TEXT",
  });
  const dates = `Behind a date stands the length of the periods, one of ${UNITS.map((unit) => `:${unit}`).join(", ")}`;
  return `Records cannot be counted by "${name.slice(0, 300)}". ${known}. ${dates}`;
}
