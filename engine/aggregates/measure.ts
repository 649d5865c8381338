import { custom, type Issue } from "../../base/contract/issues.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { customDefinition, sharedActivity } from "../filters/fields.ts";
import { knownFields, type Seen } from "../filters/known-fields.ts";
import { type DateSource, dateOf, isDate } from "./dimension.ts";

const KINDS = ["sum", "avg", "min", "max"] as const;
export type MeasureKind = (typeof KINDS)[number];

/** A number about the records of a group, besides their count. docs/guides/aggregates.md#measures */
export interface Measure {
  kind: MeasureKind;
  /** The name of the field, as it was sent. */
  field: string;
  of: NumberSource | DateSource;
}

/** Place of a number. */
export type NumberSource = { shape: "number"; column: string } | { shape: "customNumber"; field: string };

const COUNT = "count";

/**
 * The measures that are named, each once, without the count, which is always told; or the issues of those that there
 * are not. docs/guides/aggregates.md#measures
 */
export function measuresOf(seen: Seen, names: readonly string[]): { measures: Measure[]; issues: Issue[] } {
  const measures: Measure[] = [];
  const issues: Issue[] = [];
  for (const [i, name] of names.entries()) {
    if (name === COUNT || names.indexOf(name) < i) continue;
    const measure = measureOf(seen, name);
    if ("message" in measure) issues.push(custom(["measures", i], measure.message));
    else measures.push(measure);
  }
  return { measures, issues };
}

function measureOf(seen: Seen, name: string): Measure | { message: string } {
  const at = name.indexOf(":");
  const kind = KINDS.find((one) => one === name.slice(0, Math.max(at, 0)));
  const field = name.slice(at + 1);
  if (!kind) return { message: `A measure is ${COUNT}, or one of sum, avg, min and max with a colon and a field` };
  const isSum = kind === "sum" || kind === "avg";
  const of = numberOf(seen, field, isSum) ?? (isSum ? undefined : dateOf(seen, field));
  if (of) return { kind, field, of };
  const known = knownFields(seen, field, {
    native: (one) => one.isSummed === true || (!isSum && (one.filter === "NUMBER" || isDate(one))),
    parts: isSum ? [] : sharedActivity(seen.resource),
    custom: ({ type }) =>
      customFieldTypes[type].ordered?.column === "number_value" ||
      (!isSum && customFieldTypes[type].ordered !== undefined),
  });
  return { message: `There is no ${kind} of "${field.slice(0, 300)}". ${known}` };
}

function numberOf(
  { resource, scope, definitions, caller }: Seen,
  name: string,
  isSum: boolean,
): NumberSource | undefined {
  const found = customDefinition(scope, definitions, caller, name);
  if (found)
    return customFieldTypes[found.definition.type].ordered?.column === "number_value"
      ? { shape: "customNumber", field: found.definition.uuid }
      : undefined;
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (field?.storage.shape !== "column" || field.filter !== "NUMBER" || (isSum && !field.isSummed)) return undefined;
  return { shape: "number", column: field.storage.column };
}
