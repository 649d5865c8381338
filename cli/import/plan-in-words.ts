import { counted } from "../commands/output.ts";
import { quoted } from "./cells.ts";
import { type ImportPlan, newLabels, type PlannedColumn } from "./plan.ts";

const OPTIONS_TOLD_MAX = 10;
const SAME_TOLD_MAX = 5;

/** Why a column is left out, in words. */
const LEFT_OUT: Record<NonNullable<PlannedColumn["leftOut"]>, string> = {
  unnamed: "it has no heading",
  unknown: "unknown heading; --fields makes a custom field of it, --map says where it belongs",
  repeated: "an earlier column has the same heading",
  mapped: "by the map",
  label: "it says nothing about the record",
  refusal: "told by an earlier import",
  empty: "it has no values",
};

const DATES = { dmy: "day first", mdy: "month first" };

/** The plan as a person reads it: a line for each column, then what is to be known besides. */
export function planInWords(plan: ImportPlan): string {
  const passed = plan.blankRows > 0 ? `, and ${counted(plan.blankRows, "blank row")} passed over` : "";
  return [
    `${plan.file}: ${counted(plan.rows, "row")}${passed}`,
    ...plan.columns.map((column) => `  ${inWords(plan, column)}`),
    ...plan.newOptions.map(({ field, options }) => `New options of "${field}": ${listed(options)}`),
    ...sameRecordInWords(plan.sameRecord),
  ].join("\n");
}

function inWords(plan: ImportPlan, column: PlannedColumn): string {
  const heading = column.heading === "" ? '""' : column.heading;
  const { to, leftOut, values, samples, dates } = column;
  if (to === null) return `${heading} → left out${leftOut === null ? "" : `: ${LEFT_OUT[leftOut]}`}`;
  const order = dates === null ? "" : `, ${DATES[dates]}`;
  const shown = values === 0 ? "no values" : `${counted(values, "value")}: ${samples.map(quoted).join(", ")}`;
  return `${heading} → ${targetInWords(plan, to)}${order} (${shown})`;
}

function targetInWords(plan: ImportPlan, to: NonNullable<PlannedColumn["to"]>): string {
  if ("field" in to) return to.field;
  if ("address" in to) return `addresses, ${to.address}`;
  if (!to.new) return `custom field "${to.customField}", ${to.type}`;
  const labels = newLabels(plan, to);
  return `new ${to.type}${labels.length > 0 ? ` with ${counted(labels.length, "option")}, ${listed(labels)}` : ""}`;
}

function listed(labels: string[]): string {
  const more = labels.length - OPTIONS_TOLD_MAX;
  return `${labels.slice(0, OPTIONS_TOLD_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The warning that rows are about one record, a line for all; none when there are no such rows. */
export function sameRecordInWords({ count, rows }: ImportPlan["sameRecord"]): string[] {
  if (count === 0) return [];
  const told = rows
    .slice(0, SAME_TOLD_MAX)
    .map(({ line, first, by }) => `line ${line} as line ${first} (${quoted(by)})`);
  const more = count > told.length ? `, and ${count - told.length} more` : "";
  return [
    `${counted(count, "row")} about the same record as an earlier one: ${told.join(", ")}${more}. They add to it and replace nothing; other values are refused.`,
  ];
}
