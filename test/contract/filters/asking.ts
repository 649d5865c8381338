import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../../base/contract/caller.ts";
import { parseQuery } from "../../../base/contract/query-string.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import { parseJson } from "../../../base/values/json.ts";
import { checkConditions } from "../../../engine/filters/check.ts";
import { aliasesIn } from "../../../engine/filters/compile.ts";
import type { Combinator, Condition } from "../../../engine/filters/condition.ts";
import { fromJson } from "../../../engine/filters/from-json.ts";
import { idsStatement } from "../../../engine/records/find-ids.ts";
import type { Reading } from "../../../engine/records/read.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import { readFilter } from "../../../services/gateway/operation/filter-query.ts";
import type { Question } from "./oracle.ts";

/** What is asked, by whom. */
export interface Place {
  reading: Reading;
  resource: RecordType;
  scope: Scope;
  caller: Caller;
}

/** More than any of these tests makes. */
const RECORDS_MAX = 10_000;

const EMPTY_SPELLINGS = ["", "=", "=true", "=True", "=TRUE"];

/** How clients write that a parameter is a list, or one entry of it. */
const LIST_SPELLINGS = ["", "[]", "[0]", "[12]"];

/** Questions as a query: `filter[field][operator]=value&…`. */
export function toQuery(questions: Question[]): string {
  return questions
    .flatMap(({ field, operator, asked: { values, ids, emails } }, i) => {
      const name = (by = "", index = i) =>
        encodeURIComponent(`filter[${field}][${operator}]${by}${LIST_SPELLINGS[index % LIST_SPELLINGS.length]}`);
      if (operator.endsWith("empty")) return `${name()}${EMPTY_SPELLINGS[i % EMPTY_SPELLINGS.length]}`;
      return [
        ...values.map((value, index) => `${name("", index)}=${encodeURIComponent(value)}`),
        ...ids.map((id, index) => `${name("[id]", index)}=${encodeURIComponent(id)}`),
        ...emails.map((email, index) => `${name("[email]", index)}=${encodeURIComponent(email)}`),
      ];
    })
    .join("&");
}

/** Questions as `filter` in the body of a search. */
export function toFilter(questions: Question[]): Record<string, Record<string, unknown>> {
  const filter = new Map<string, Record<string, unknown>>();
  for (const { field, operator, asked } of questions)
    filter.set(field, { ...filter.get(field), [operator]: operandOf(operator, asked) });
  return Object.fromEntries(filter);
}

function operandOf(operator: string, { values, ids, emails }: Question["asked"]): unknown {
  if (operator.endsWith("empty")) return true;
  if (ids.length + emails.length > 0)
    return { ...(ids.length > 0 && { id: ids }), ...(emails.length > 0 && { email: emails }) };
  return values.length === 1 ? values[0] : values;
}

/**
 * Ids of the records that meet the questions, in the order of a list: through the syntax of the query, which must mean
 * the same as that of the search, and the statement that lists run, without reading whole records.
 */
export async function findIds(place: Place, questions: Question[], combinator: Combinator = "and"): Promise<string[]> {
  const { reading, resource, scope, caller } = place;
  const conditions = readFilter(parseQuery(toQuery(questions)), []);
  const fromBody = fromJson(parseJson(Buffer.from(JSON.stringify(toFilter(questions)))) as never);
  if (!isDeepStrictEqual(conditions.map(withoutTrue).sort(byPlace), fromBody.sort(byPlace)))
    throw new Error(`Query and body mean different things: ${JSON.stringify([conditions, fromBody])}`);
  const definitions = await reading.definitionsCache.current(caller.workspaceId);
  const checked = checkConditions(resource, scope, definitions, caller, conditions);
  const aliases = await aliasesIn(reading.query, caller.workspaceId, checked);
  const page = { limit: RECORDS_MAX, combinator };
  const { sql, values } = idsStatement({ resource, definitions, caller, aliases }, scope, page, checked);
  const rows = await reading.queryPlanned<{ id: Uuid }>(sql, values);
  return rows.map(({ id }) => toId(resource.kind, id));
}

/** `empty` says nothing in a query, with or without a value. */
function withoutTrue(condition: Condition): Condition {
  return condition.operator.endsWith("empty") ? { ...condition, values: [] } : condition;
}

function byPlace(a: Condition, b: Condition): number {
  const [one, other] = [a, b].map(({ field, operator }) => JSON.stringify([field, operator]));
  return one !== undefined && other !== undefined && one < other ? -1 : 1;
}
