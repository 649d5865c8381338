import { FILTER_CONDITIONS_MAX, FILTER_VALUES_MAX } from "../../config/limits.ts";
import type { FilterKind } from "../../lib/fields/field.ts";
import { OPERATORS } from "../../lib/filters/kinds.ts";
import { companies } from "../../lib/resources/companies.ts";
import { objects } from "../../lib/resources/objects.ts";
import { people } from "../../lib/resources/people.ts";
import type { RecordType } from "../../lib/resources/record-type.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schemas.ts";

/** Service → the resource whose fields its filters name. */
const RESOURCES: Record<string, RecordType> = { people, companies, objects };

/** What the operators of a kind compare, where their names do not tell. */
type Hints = Partial<Record<FilterKind, string>>;

const DATES: Hints = {
  DATE: "dates YYYY-MM-DD",
  DAY: "dates YYYY-MM-DD, compared by day in UTC",
};
const IN_QUERY: Hints = {
  ...DATES,
  MULTIREF: "`[id]` behind the operator",
  CREATOR: "`[id]` or `[email]` behind the operator",
};
const IN_BODY: Hints = {
  ...DATES,
  MULTIREF: "`{ id: [...] }` behind the operator",
  CREATOR: "`{ id: [...] }` or `{ email: [...] }` behind the operator",
};

/** The query parameter `filter` of a list: `filter[<field>][<operator>]=<value>`. docs/guides/filters.md#writing-a-filter */
export function filterParameter({ route, params }: Operation): Schema {
  const resource = resourceOf(route.action);
  const fields = resource ? fieldsOf(resource, IN_QUERY) : String(params.filter?.description ?? "");
  return {
    name: "filter",
    in: "query",
    description: [INTRODUCTION, fields].join("\n\n"),
    style: "deepObject",
    explode: true,
    schema: { type: "object", additionalProperties: { type: "object" } },
  };
}

/** The fields and operators of `filter` in the body of a search, in Markdown; undefined for an action that is no search. docs/guides/filters.md#search */
export function searchFilterText(action: string): string | undefined {
  const resource = resourceOf(action);
  if (!resource || !action.endsWith(".search")) return undefined;
  return fieldsOf(resource, IN_BODY);
}

function resourceOf(action: string): RecordType | undefined {
  return RESOURCES[action.split(".")[0] ?? ""];
}

const INTRODUCTION = `\`filter[<field>][<operator>]=<value>\`, at most ${FILTER_CONDITIONS_MAX} conditions; \`combinator\` says whether all or any of them must hold. \`all\`, \`in\` and \`not_in\` take up to ${FILTER_VALUES_MAX} values: repeat the parameter, also with \`[]\` or \`[0]\`, \`[1]\` behind it. \`empty\` and \`not_empty\` take none. \`like\` finds a part of a text in any letter case.`;

/** The fields of a type of record, grouped by kind, each kind with its operators. In Markdown. */
function fieldsOf({ kind, fields, activityFilters = {} }: RecordType, hints: Hints): string {
  const names = new Map<FilterKind, string[]>();
  const kinds = [
    ...Object.entries(fields).map(([name, { filter }]) => [name, filter] as const),
    ...Object.keys(activityFilters).map((name) => [name, "DAY"] as const),
  ];
  for (const [name, filter] of kinds) if (filter) names.set(filter, [...(names.get(filter) ?? []), name]);
  const lines = [...names].map(([filter, list]) => {
    const hint = hints[filter];
    return `- ${code(list)}: ${code(OPERATORS[filter])}${hint === undefined ? "" : ` (${hint})`}`;
  });
  const custom = kind === "object" ? "customFieldValues.<fieldName>" : "customFieldValues.<groupId>.<fieldName>";
  return [...lines, `- \`${custom}\`: as the type of the custom field has it`].join("\n");
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
