import { BIG_GROUP, F, type Field, id, WORDS, word } from "./data.ts";
import type { Sql } from "./design.ts";

/** What is asked of one field; `value` is an array for the operators "in" and "all", null for "empty" and "not_empty". */
export type Filter = { name: string; field: Field; operator: string; value: unknown };

/** How many people a filter returns at most. */
export const PAGE = 20;

/** In the order of the report. The values that depend on what was drawn are set by `prepare`. */
export const FILTERS: Filter[] = [
  { name: "text eq (1 match)", field: "text", operator: "eq", value: "" },
  { name: "text like, rare word", field: "text", operator: "like", value: word(WORDS - 10) },
  { name: "text like, common word", field: "text", operator: "like", value: word(0) },
  { name: "text like, 2 letters, no match", field: "text", operator: "like", value: "qx" },
  { name: "number gt, 0.01 %", field: "number", operator: "gt", value: 999_900 },
  { name: "number gt, half", field: "number", operator: "gt", value: 500_000 },
  { name: "date lt, 0.1 %", field: "date", operator: "lt", value: "1990-01-10" },
  { name: "single in, 2 of 10 options", field: "single", operator: "in", value: [id("option", 2), id("option", 3)] },
  {
    name: "multiple all = 3 labels",
    field: "multiple",
    operator: "all",
    value: [id("option", 4), id("option", 11), id("option", 18)],
  },
  { name: "user in, 1 of 50", field: "user", operator: "in", value: [id("user", 7)] },
  { name: "contact in (few matches)", field: "contact", operator: "in", value: [] },
  { name: "text empty, 10 %", field: "text", operator: "empty", value: null },
  { name: "number empty, 0.01 %", field: "number", operator: "empty", value: null },
  { name: "text not_empty", field: "text", operator: "not_empty", value: null },
  { name: "number eq, no match", field: "number", operator: "eq", value: "500000.005" },
  { name: "single in, no match", field: "single", operator: "in", value: [id("option", 99)] },
];

/** The condition of a filter, where "empty" is the opposite of "not_empty". */
export const negated =
  (condition: (filter: Filter) => Sql) =>
  (filter: Filter): Sql => {
    const positive = condition(filter);
    return filter.operator === "empty" ? { text: `not (${positive.text})`, params: [] } : positive;
  };

/** What a filter asks of a jsonb, `at` being the expression of the jsonb that holds the field. */
export function jsonCondition(filter: Filter, at: string, containable: boolean): Sql {
  const field = F[filter.field];
  const text = `${at} ->> '${field}'`;
  const has = `${at} ? '${field}'`;
  const contains = (value: unknown, n: number): Sql =>
    containable
      ? { text: `${at} @> $${n}::jsonb`, params: [JSON.stringify({ [field]: value })] }
      : { text: `(${at} -> '${field}') @> $${n}::jsonb`, params: [JSON.stringify(value)] };
  const list = filter.value as string[];
  switch (filter.operator) {
    case "eq":
      if (containable) return contains(filter.value, 2);
      if (filter.field === "text")
        return { text: `${has} and md5(${text}) = md5($2::text) and ${text} = $2::text`, params: [filter.value] };
      return { text: `${has} and (${text})::numeric = $2::numeric`, params: [filter.value] };
    case "like":
      return { text: `${has} and lower(${text}) like $2`, params: [`%${filter.value}%`] };
    case "gt":
      return { text: `${has} and (${text})::numeric > $2::numeric`, params: [filter.value] };
    case "lt":
      return { text: `${has} and ${text} < $2::text`, params: [filter.value] };
    case "in": {
      if (!containable && filter.field === "single")
        return { text: `${has} and ${text} = any($2::text[])`, params: [list] };
      const parts = list.map((item, n) => contains(filter.field === "single" ? item : [item], n + 2));
      return {
        text: `${has} and (${parts.map((part) => part.text).join(" or ")})`,
        params: parts.flatMap((part) => part.params),
      };
    }
    case "all": {
      const part = contains(list, 2);
      return {
        text: `${has} and ${part.text} and jsonb_array_length(${at} -> '${field}') = ${list.length}`,
        params: part.params,
      };
    }
    default:
      return { text: has, params: [] };
  }
}

/** A condition on the membership `m` in the group that all filters look at, as one on `p` (people). */
export const inMembership = (condition: string) =>
  `exists (select 1 from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id and m.group_id = '${BIG_GROUP}' and ${condition})`;

/** What a filter asks of the typed rows. */
export function rowCondition(filter: Filter, typed: { eqText: string; like: string; all: "rows" | "json" }): Sql {
  const rows = (condition: string) =>
    `p.id in (select v.person_id from person_values v where v.workspace_id = $1 and v.field_id = '${F[filter.field]}' and ${condition})`;
  const list = filter.value as string[];
  switch (filter.operator) {
    case "eq":
      return {
        text: rows(filter.field === "text" ? typed.eqText : "v.number_value = $2::numeric"),
        params: [filter.value],
      };
    case "like":
      return { text: rows(typed.like), params: [`%${filter.value}%`] };
    case "gt":
      return { text: rows("v.number_value > $2::numeric"), params: [filter.value] };
    case "lt":
      return { text: rows("v.date_value < $2::date"), params: [filter.value] };
    case "in":
      return { text: rows("v.item = any($2::uuid[])"), params: [list] };
    case "all": {
      if (typed.all === "json") {
        const whole = jsonCondition(filter, `m."values"`, true);
        return {
          text: `p.id in (select v.person_id from person_values v
            join person_groups m on m.workspace_id = v.workspace_id and m.person_id = v.person_id and m.group_id = v.group_id
            where v.workspace_id = $1 and v.field_id = '${F[filter.field]}' and v.item = $2::uuid and ${whole.text.replace("$2", "$3")})`,
          params: [list[0], ...whole.params],
        };
      }
      const first = rows("v.item = $2::uuid");
      return {
        text: `${first} and (select count(*) = ${list.length} and count(*) filter (where v.item = any($3::uuid[])) = ${list.length} from person_values v
          where v.workspace_id = p.workspace_id and v.person_id = p.id and v.group_id = '${BIG_GROUP}' and v.field_id = '${F[filter.field]}')`,
        params: [list[0], list],
      };
    }
    default: {
      const has =
        typed.all === "json"
          ? inMembership(`m."values" ? '${F[filter.field]}'`)
          : `exists (select 1 from person_values v where v.workspace_id = p.workspace_id and v.person_id = p.id and v.group_id = '${BIG_GROUP}' and v.field_id = '${F[filter.field]}')`;
      return { text: has, params: [] };
    }
  }
}
