import { comparable } from "../../base/values/text.ts";
import type { CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Column } from "./columns.ts";
import type { DateOrders } from "./dates.ts";
import { ID_FIELD, type ImportKind } from "./headings.ts";
import type { Matched } from "./matched.ts";
import type { ImportField, WantedFields } from "./new-fields.ts";
import type { Repeated } from "./repeated.ts";
import { holdsDates } from "./resources.ts";
import type { Survey } from "./survey.ts";

/** Plan of an import, as far as the file shows it before its rows are written. docs/guides/import.md#the-plan */
export interface ImportPlan {
  file: string;
  rows: number;
  /** Number of rows that have only blank cells and are skipped. */
  blankRows: number;
  columns: PlannedColumn[];
  newFields: { name: string; type: CustomFieldTypeName; options: string[] }[];
  newOptions: { field: string; options: string[] }[];
  /** Rows about the same record as an earlier one: how many, and the first hundred. */
  sameRecord: { count: number; rows: Repeated[] };
  /** Number of rows of a dry run by the key that found their record. docs/guides/import.md#the-plan */
  matched?: Matched;
}

export interface PlannedColumn {
  heading: string;
  /** Null for a column that is left out. */
  to: PlannedTarget | null;
  /** Why it is left out, null for one that is not. */
  leftOut: "unnamed" | "unknown" | "repeated" | "mapped" | "label" | "refusal" | "server" | "empty" | null;
  /** Number of cells that are not blank. Cells of columns that are left out are not counted. */
  values: number;
  /** The first different values, at most three. */
  samples: string[];
  /** Order of day and month, for columns with dates. */
  dates: "dmy" | "mdy" | null;
}

/** A native field, a part of an address, or a custom field. */
export type PlannedTarget =
  | { field: string }
  | { address: string }
  | { customField: string; type: CustomFieldTypeName; new: boolean };

interface Planning {
  file: string;
  kind: ImportKind;
  /** All of them, in their order. */
  columns: Column[];
  survey: Survey;
  orders: DateOrders;
  existing: ImportField[];
  wanted: WantedFields;
}

/** Builds the plan from everything that is known before an import begins. */
export function planOf({ file, kind, columns, survey, orders, existing, wanted }: Planning): ImportPlan {
  const fields = new Map([...wanted.made, ...existing].map((field) => [comparable(field.name), field]));
  const isNew = new Set(wanted.made.map(({ name }) => comparable(name)));

  function plannedColumn(column: Column): PlannedColumn {
    const { heading, target } = column;
    const seen = survey.columns.get(column) ?? { values: 0, samples: [] };
    const field = target.to === "custom" ? fields.get(comparable(target.name)) : undefined;
    const to = plannedTarget(column, field, isNew);
    const leftOut = target.to === "nowhere" && survey.unused.has(column) ? target.because : "empty";
    const dates = seen.values > 0 && holdsDates(kind, column, field) ? (orders.get(column) ?? null) : null;
    return { heading, to, leftOut: to === null ? leftOut : null, ...seen, dates };
  }

  return {
    file,
    rows: survey.rows,
    blankRows: survey.blankRows,
    columns: columns.map(plannedColumn),
    newFields: wanted.made.map(({ name, type, labels }) => ({ name, type, options: labels })),
    newOptions: wanted.labelled.map(({ name, labels }) => ({ field: name, options: labels })),
    sameRecord: { count: survey.repeated.count, rows: survey.repeated.first },
  };
}

/** Null for a column without a target, or without values, which creates no field. */
function plannedTarget({ target }: Column, field: ImportField | undefined, isNew: Set<string>): PlannedTarget | null {
  if (target.to === "address") return { address: target.part };
  if (target.to === "id") return { field: ID_FIELD };
  if (target.to === "field" || target.to === "name") return { field: target.name };
  if (target.to === "nowhere" || !field) return null;
  return { customField: field.name, type: field.type, new: isNew.has(comparable(field.name)) };
}

/** The labels of a new field that has some. */
export function newLabels(plan: ImportPlan, { customField, type }: { customField: string; type: CustomFieldTypeName }) {
  return customFieldTypes[type].hasOptions
    ? (plan.newFields.find(({ name }) => name === customField)?.options ?? [])
    : [];
}
