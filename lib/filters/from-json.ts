import { FILTER_CONDITIONS_MAX } from "../../config/limits.ts";
import { canonicalDecimal } from "../decimal.ts";
import { unprocessable } from "../errors.ts";
import { custom, EXACT_NUMBER_MARK, type Issue, isExactNumber } from "../issues.ts";
import { Type } from "../schema.ts";
import type { Condition } from "./condition.ts";

type Operand = unknown;

/** `filter` in the body of a search: field → operator → value. What a value may be depends on the field. */
export const filterSchema = Type.Unsafe<Record<string, Record<string, Operand>>>({
  type: "object",
  additionalProperties: { type: "object" },
  example: { jobTitle: { like: "engineer" } },
});

/**
 * The conditions of a search body: a value is a text (also a number), or a list of them; references are
 * `{ in: { id: [..], email: [..] } }`; `empty` and `not_empty` take `true`. gaps 2, "Filters".
 * @throws ApiError 422 for values of another form
 */
export function fromJson(filter: Record<string, Record<string, Operand>>): Condition[] {
  const issues: Issue[] = [];
  const conditions = Object.entries(filter).flatMap(([field, operators]) => {
    if (Object.keys(operators).length === 0)
      issues.push(custom(["filter", field], 'A field needs an operator, as in { "jobTitle": { "like": "engineer" } }'));
    return Object.entries(operators).map(([operator, operand]): Condition => {
      const condition = readOperand(field, operator, operand);
      if (!condition)
        issues.push(
          custom(
            ["filter", field, operator],
            "A value is a text, a list of texts, true for empty, or { id: [..], email: [..] } for references",
          ),
        );
      return condition ?? { field, operator, values: [], ids: [], emails: [] };
    });
  });
  if (issues.length > 0) throw unprocessable(issues.slice(0, FILTER_CONDITIONS_MAX));
  return conditions;
}

function readOperand(field: string, operator: string, operand: Operand): Condition | undefined {
  const none = { field, operator, values: [], ids: [], emails: [] };
  if (operand === true && operator.endsWith("empty")) return none;
  if (Array.isArray(operand) && operand.length === 0) return undefined;
  const values = texts(operand);
  if (values) return { ...none, values, ...([operand].flat().some(isNumber) && { hasNumbers: true }) };
  if (typeof operand !== "object" || operand === null || Array.isArray(operand)) return undefined;
  const { id = [], email = [], ...rest } = operand as { id?: unknown; email?: unknown };
  const [ids, emails] = [texts(id), texts(email)];
  return ids && emails && Object.keys(rest).length === 0 && ids.length + emails.length > 0
    ? { ...none, ids, emails }
    : undefined;
}

/** One text or number, or a list of them, as texts. */
function texts(operand: unknown): string[] | undefined {
  const list = Array.isArray(operand) ? operand : [operand];
  const all = list.flatMap((one) => {
    if (!isNumber(one)) return typeof one === "string" ? one : [];
    // A JSON number may have an exponent, a text may not: gaps 2, "Numbers". What does not fit is refused as it was written.
    return canonicalDecimal(one) ?? String(one).replace(EXACT_NUMBER_MARK, "");
  });
  return all.length === list.length ? all : undefined;
}

function isNumber(operand: unknown): operand is number | string {
  return typeof operand === "number" || isExactNumber(operand);
}
