import { quoted } from "contact-workspace-readers/cell-text";
import { counted } from "../terminal/output.ts";
import { onScreen } from "./cells.ts";
import { matchedInWords } from "./matched.ts";
import { type ImportPlan, newLabels, type PlannedColumn } from "./plan.ts";

const OPTIONS_TOLD_MAX = 10;
const SAME_TOLD_MAX = 5;

/** Reason for leaving out columns → words for the plan. */
const LEFT_OUT: [NonNullable<PlannedColumn["leftOut"]>, string][] = [
  ["unknown", "Left out, because they match no field (--fields makes custom fields of them, --map names a field)"],
  ["repeated", "Left out, because an earlier column has the same heading"],
  ["unnamed", "Left out, because they have no heading"],
  ["mapped", "Left out by the map"],
  ["refusal", "Left out, because an earlier import has written them"],
  ["server", "Left out, because only the server writes them"],
  ["label", "Left out, because they say nothing about a record"],
  ["empty", "Without values"],
];

const DATES = { dmy: "day first", mdy: "month first" };

/** The plan for a person: a line for each column with values, then the other columns by their outcome. */
export function planInWords(plan: ImportPlan): string {
  const passed = plan.blankRows > 0 ? `, and ${counted(plan.blankRows, "blank row")} skipped` : "";
  return [
    `${plan.file}: ${counted(plan.rows, "row")}${passed}`,
    ...plan.columns.flatMap((column) => inWords(plan, column)),
    ...LEFT_OUT.flatMap(([reason, words]) => leftOutInWords(plan, reason, words)),
    ...plan.newOptions.map(({ field, options }) => `New options of "${field}": ${listed(options)}`),
    ...sameRecordInWords(plan.sameRecord),
    ...(plan.matched ? matchedInWords(plan.matched) : []),
  ].join("\n");
}

function inWords(plan: ImportPlan, { heading, to, values, samples, dates }: PlannedColumn): string[] {
  if (to === null || values === 0) return [];
  const order = dates === null ? "" : `, ${DATES[dates]}`;
  const shown = `${counted(values, "value")}: ${samples.map(quoted).join(", ")}`;
  return [`  ${onScreen(heading)} → ${targetInWords(plan, to)}${order} (${shown})`];
}

function leftOutInWords({ columns }: ImportPlan, reason: PlannedColumn["leftOut"], words: string): string[] {
  const headings = columns.flatMap((column, index) => {
    const because = column.to !== null && column.values === 0 ? "empty" : column.leftOut;
    return because === reason ? [column.heading === "" ? `column ${index + 1}` : onScreen(column.heading)] : [];
  });
  return headings.length === 0 ? [] : [`${words}: ${headings.join(", ")}`];
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
