import { FILTER_CONDITIONS_MAX, FILTER_VALUES_MAX } from "../../config/limits.ts";
import { OPERATORS } from "../../engine/filters/kinds.ts";
import type { FilteredFields } from "../../engine/filters/row-filters.ts";
import type { FilterKind } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { filteredResource, filterReference } from "./filter-schemas.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schemas.ts";

/** Hints about the operators of a kind, where their names do not say what they compare. */
const HINTS: Partial<Record<FilterKind, string>> = {
  DATE: "dates YYYY-MM-DD",
  DAY: "dates YYYY-MM-DD, compared by day in UTC",
  MULTIREF: "`[id]` behind the operator",
  CREATOR: "`[id]` or `[email]` behind the operator",
};

/**
 * The query parameter `filter` of a list: `filter[<field>][<operator>]=<value>`.
 * docs/guides/filters.md#writing-a-filter
 */
export function filterParameter(operation: Operation): Schema {
  const resource = filteredResource(operation);
  const fields = resource ? fieldsOf(resource) : rowFieldsOf(operation.params.filter?.filteredFields);
  return {
    name: "filter",
    in: "query",
    description: [INTRODUCTION, fields].join("\n\n"),
    style: "deepObject",
    explode: true,
    schema: filterReference(operation),
    // All that are filtered have this field.
    example: { createdAt: { gt: "2026-01-01" } },
  };
}

/**
 * `filter` of a tool in words and by one example: an operator that does not fit a field is refused with those that do.
 * docs/guides/assistants.md#arguments
 */
export function toolFilterText(action: string, filteredFields: FilteredFields | undefined): string {
  if (filteredFields) {
    const fields = Object.entries(filteredFields).map(([name, { operators }]) => `${name} (${operators.join(", ")})`);
    return `{${fields[0]?.split(" ")[0]}: {gt: 2030-03-31}}. Fields: ${fields.join(", ")}`;
  }
  const resource = filteredResource({ route: { action } });
  return resource ? recordFilterText(resource) : "";
}

function recordFilterText({ kind, fields, activityFilters = {} }: RecordType): string {
  const filtered = Object.entries(fields).flatMap(([name, { filter }]) => (filter ? [[name, filter] as const] : []));
  const names = [...filtered.map(([name]) => name), ...Object.keys(activityFilters), customFilter(kind)];
  const [text] = filtered.find(([, filter]) => filter === "TEXT") ?? ["name"];
  const [related] = filtered.findLast(([, filter]) => filter === "MULTIREF") ?? ["groups"];
  const example = `{${text}: {like: ada}, ${related}: {in: {id: […]}}}`;
  return `${example}. Fields: ${names.join(", ")}. Operators: ${operatorsInWords(filtered.map(([, filter]) => filter))}`;
}

/**
 * The operators of several kinds of fields. One that has a negative stands once, and the model writes `not_` before it.
 */
function operatorsInWords(kinds: readonly FilterKind[]): string {
  const operators = [...new Set<string>(kinds.flatMap((kind) => OPERATORS[kind]))];
  const negated = operators.filter((operator) => operators.includes(`not_${operator}`));
  const others = operators.filter((operator) => !operator.startsWith("not_") && !negated.includes(operator));
  const words = negated.map((operator) => (operator === "empty" ? "empty: true" : operator));
  return `${words.join(", ")} (or not_…), ${others.join(", ")}`;
}

function customFilter(kind: RecordType["kind"]): string {
  return kind === "object" ? "customFieldValues.<fieldName>" : "customFieldValues.<groupId>.<fieldName>";
}

const INTRODUCTION = `\`filter[<field>][<operator>]=<value>\`, at most ${FILTER_CONDITIONS_MAX} conditions; \`combinator\` says whether all or any of them must hold. \`all\`, \`in\` and \`not_in\` take up to ${FILTER_VALUES_MAX} values: repeat the parameter, also with \`[]\` or \`[0]\`, \`[1]\` behind it. \`empty\` and \`not_empty\` take none. \`like\` finds a part of a text in any letter case.`;

/** The fields of a type of record, grouped by kind, each kind with its operators. In Markdown. */
function fieldsOf({ kind, fields, activityFilters = {} }: RecordType): string {
  const names = new Map<FilterKind, string[]>();
  const kinds = [
    ...Object.entries(fields).map(([name, { filter }]) => [name, filter] as const),
    ...Object.keys(activityFilters).map((name) => [name, "DAY"] as const),
  ];
  for (const [name, filter] of kinds) if (filter) names.set(filter, [...(names.get(filter) ?? []), name]);
  const lines = [...names].map(([filter, list]) => {
    const hint = HINTS[filter];
    return `- ${code(list)}: ${code(OPERATORS[filter])}${hint === undefined ? "" : ` (${hint})`}`;
  });
  return [...lines, `- \`${customFilter(kind)}\`: as the type of the custom field has it`].join("\n");
}

/** The fields of a plain resource, each with its operators. In Markdown. */
function rowFieldsOf(fields: FilteredFields): string {
  return Object.entries(fields)
    .map(([name, { operators }]) => `- ${code([name])}: ${code(operators)}`)
    .join("\n");
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
