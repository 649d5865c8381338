import { Type } from "../../base/contract/schema.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import { type ExactNumber, isExactNumber, writtenOf } from "../../base/values/exact-number.ts";
import { FILTER_CHARACTERS_MAX } from "../../config/limits.ts";
import type { Condition } from "./condition.ts";

type Operand = unknown;

/** `filter` in the body of a search: field → operator → value. What a value may be depends on the field. */
export const filterSchema = Type.Unsafe<Record<string, Record<string, Operand>>>({
  type: "object",
  additionalProperties: { type: "object" },
  charactersMax: FILTER_CHARACTERS_MAX,
  example: { jobTitle: { like: "engineer" } },
});

const NO_OPERATOR = 'A field needs an operator, as in { "jobTitle": { "like": "engineer" } }';
const NO_VALUE = "A value is a text, a list of texts, true for empty, or { id: [..], email: [..] } for references";

/**
 * The conditions of a search body. A value is a text, a number, or a list of these; references are
 * `{ in: { id: [..], email: [..] } }`; `empty` and `not_empty` take `true`. A condition of another form is marked as
 * `malformed`, so that one answer reports its fault with those of the others. docs/guides/filters.md#search
 */
export function fromJson(filter: Record<string, Record<string, Operand>>): Condition[] {
  return Object.entries(filter).flatMap(([field, operators]): Condition[] => {
    const none = { field, operator: "", values: [], ids: [], emails: [] };
    const all = Object.entries(operators);
    if (all.length === 0) return [{ ...none, malformed: NO_OPERATOR }];
    return all.map(([operator, operand]) => ({
      ...none,
      operator,
      ...(readOperand(operator, operand) ?? { malformed: NO_VALUE }),
    }));
  });
}

/** The values of a condition from a body; undefined for an unknown form. */
function readOperand(operator: string, operand: Operand): Partial<Condition> | undefined {
  if (operand === true && operator.endsWith("empty")) return {};
  if (Array.isArray(operand) && operand.length === 0) return undefined;
  const values = texts(operand);
  if (values) return { values, ...numbersAmong(operand) };
  if (typeof operand !== "object" || operand === null || Array.isArray(operand)) return undefined;
  const { id = [], email = [], ...rest } = operand as { id?: unknown; email?: unknown };
  const [ids, emails] = [texts(id), texts(email)];
  return ids && emails && Object.keys(rest).length === 0 && ids.length + emails.length > 0
    ? { ids, emails, ...numbersAmong([id, email].flat()) }
    : undefined;
}

/** A text or a number, or a list of them, as texts; undefined when anything else is among them. */
function texts(operand: unknown): string[] | undefined {
  const list = Array.isArray(operand) ? operand : [operand];
  const all = list.flatMap((one) => {
    if (!isNumber(one)) return typeof one === "string" ? one : [];
    // A JSON number may have an exponent and a text may not, so it becomes canonical here. One that has too many digits
    // stays as it was written, and is refused as such. docs/guides/values.md#numbers
    return canonicalDecimal(one) ?? (isExactNumber(one) ? writtenOf(one) : String(one));
  });
  return all.length === list.length ? all : undefined;
}

function numbersAmong(operand: Operand): Pick<Condition, "hasNumbers"> {
  return [operand].flat().some(isNumber) ? { hasNumbers: true } : {};
}

function isNumber(operand: unknown): operand is number | ExactNumber {
  return typeof operand === "number" || isExactNumber(operand);
}
