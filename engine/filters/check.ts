import type { Caller } from "../../base/contract/caller.ts";
import { unprocessable } from "../../base/contract/errors.ts";
import {
  bound,
  custom,
  type Issue,
  invalidEnumValue,
  type Path,
  tooBig,
  unrecognizedKeys,
} from "../../base/contract/issues.ts";
import { isDate } from "../../base/values/dates.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import { isPlainText, notPlain } from "../../base/values/text.ts";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import {
  FILTER_CONDITIONS_MAX,
  FILTER_TEXT_LENGTH_MAX,
  FILTER_VALUES_MAX,
  LABEL_LENGTH_MAX,
} from "../../config/limits.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { FilterKind } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { Condition } from "./condition.ts";
import { type FilterField, filterField } from "./fields.ts";
import { OPERATORS, type PositiveOperator, split, TAKES_MANY } from "./kinds.ts";
import { knownFields, type Serving } from "./known-fields.ts";

/**
 * Properties by which a condition is judged: the kind of a field, which decides its operators unless it names its own,
 * and its values.
 */
export interface Filterable extends Pick<FilterField, "name" | "kind" | "by" | "options"> {
  operators?: readonly string[];
}

/** A condition whose field, operator and values make sense together. */
export interface Checked<Field extends Filterable = FilterField> {
  field: Field;
  positive: PositiveOperator;
  negated: boolean;
  values: string[];
  ids: string[];
  emails: string[];
}

const filtered = ({ activityFilters = {} }: RecordType): Serving => ({
  native: ({ filter }) => filter !== null,
  parts: Object.keys(activityFilters),
  custom: () => true,
});

/**
 * Meaning of conditions on records, as far as the caller sees them.
 * @param found issues that the request has apart from its conditions
 * @throws ApiError 422 with all issues
 */
export function checkConditions(
  resource: RecordType,
  scope: Scope,
  definitions: Definitions,
  caller: Caller,
  conditions: Condition[],
  found: Issue[] = [],
): Checked[] {
  return checkFilter(
    (name) => filterField(resource, scope, definitions, caller, name),
    conditions,
    (unknown) => knownFields({ resource, scope, definitions, caller }, unknown, filtered(resource)),
    found,
  );
}

/**
 * Meaning of conditions: each field is looked up, each operator and value judged by its kind.
 * @param known a sentence with the fields that there are in the place of one that is not
 * @param found issues that the request has apart from its conditions
 * @throws ApiError 422 with all issues
 */
export function checkFilter<Field extends Filterable>(
  find: (name: string) => Field | undefined,
  conditions: Condition[],
  known: (unknown: string) => string,
  found: Issue[] = [],
): Checked<Field>[] {
  const issues = [...found];
  if (conditions.length > FILTER_CONDITIONS_MAX) issues.push(tooBig(["filter"], "array", FILTER_CONDITIONS_MAX));
  const checked = conditions.slice(0, FILTER_CONDITIONS_MAX).flatMap((condition): Checked<Field>[] => {
    const field = find(condition.field);
    if (!field) {
      issues.push(unknownField(find, condition, known));
      return [];
    }
    if (condition.malformed !== undefined) {
      const operator = condition.operator === "" ? [] : [condition.operator];
      issues.push(custom(["filter", condition.field, ...operator], condition.malformed));
      return [];
    }
    const { operators = OPERATORS[field.kind] } = field;
    const operator = operators.includes(condition.operator) ? split(condition.operator) : undefined;
    if (!operator) {
      const message = `"${field.name}" has no operator "${condition.operator.slice(0, 100)}". It has: ${operators.join(", ")}`;
      issues.push({ ...unrecognizedKeys(["filter", condition.field], [condition.operator]), message });
      return [];
    }
    issues.push(...valueIssues(field, condition));
    const { values, ids, emails } = condition;
    return [{ field, ...operator, values: compared(field, values), ids, emails }];
  });
  if (issues.length > 0) throw unprocessable(issues);
  return checked;
}

/**
 * Error for an unknown field. With `[id]` in the wrong place, behind the field, `[id]` would count as part of the name.
 */
function unknownField(
  find: (name: string) => Filterable | undefined,
  { field, operator }: Condition,
  known: (unknown: string) => string,
): Issue {
  const [, name = "", by = ""] = /^(.*)\]\[(id|email)$/s.exec(field) ?? [];
  return find(name)
    ? custom(["filter", name, operator], `[${by}] belongs behind the operator: filter[${name}][${operator}][${by}]`)
    : custom(["filter", field], `There is no field "${field.slice(0, 300)}" to filter by. ${known(field)}`);
}

/**
 * PostgreSQL reads no number with more than 16,383 digits behind the point, though all but a few of them may be zeros.
 */
function compared({ kind }: Filterable, values: string[]): string[] {
  return kind === "NUMBER" ? values.map((value) => canonicalDecimal(value) ?? value) : values;
}

function valueIssues(field: Filterable, { operator, values, ids, emails, hasNumbers }: Condition): Issue[] {
  const path: Path = ["filter", field.name, operator];
  const count = values.length + ids.length + emails.length;
  if (operator.endsWith("empty")) return emptyIssues(path, values, ids.length + emails.length);
  const limit = TAKES_MANY.includes(operator) ? FILTER_VALUES_MAX : 1;
  if (count > limit) return [tooBig(path, "array", limit)];
  if (hasNumbers && field.kind !== "NUMBER") return [custom(path, "The values of this field are texts, not numbers")];
  const form = formIssue(field, path, { values, ids, emails });
  if (form) return [form];
  return [...values, ...ids, ...emails].flatMap((value) => {
    const issue = isPlainText(value)
      ? VALUE_RULES[field.kind](value, field)
      : { code: "custom" as const, message: notPlain(value) };
    return issue ? [{ ...issue, path } as Issue] : [];
  });
}

/** `empty` takes no value: `filter[groups][empty]`, also with `=` or `=true`, which Python writes `True`. */
function emptyIssues(path: Path, values: string[], references: number): Issue[] {
  if (values.length > 1) return [tooBig(path, "array", 1)];
  const [value = ""] = values;
  return references > 0 || !/^(true)?$/i.test(value) ? [custom(path, 'This operator takes no value but "true"')] : [];
}

/** References need `[id]`, users also take `[email]`; everything else takes plain values. */
function formIssue(
  { by }: Filterable,
  path: Path,
  { values, ids, emails }: Pick<Condition, "values" | "ids" | "emails">,
): Issue | undefined {
  if (by === "value") return ids.length + emails.length > 0 ? custom(path, "This field takes plain values") : undefined;
  const how = by === "user" ? "[id] or [email]" : "[id]";
  return values.length > 0 || (by === "id" && emails.length > 0)
    ? custom(path, `Write the values of this field with ${how} behind the operator`)
    : undefined;
}

type Rule = (value: string, field: Filterable) => Omit<Issue, "path"> | undefined;

const anything: Rule = () => undefined;
const date: Rule = (value) =>
  isDate(value) ? undefined : { code: "invalid_string", message: "Invalid date", validation: "date" };

const longerThan = (max: number, value: string) =>
  value.length > max ? bound("too_big", "string", "maximum", max, false) : undefined;
const label: Rule = (value, { by }) => (by === "value" ? longerThan(LABEL_LENGTH_MAX, value) : undefined);

/**
 * Kind → what is wrong with a value. A text has one limit in all fields: clients look for one text in several of them
 * at once, and it may be longer than a telephone number.
 */
const VALUE_RULES: Record<FilterKind, Rule> = {
  TEXT: (value) =>
    value === "" ? bound("too_small", "string", "minimum", 1, false) : longerThan(FILTER_TEXT_LENGTH_MAX, value),
  DATE: date,
  DAY: date,
  NUMBER: (value) =>
    canonicalDecimal(value) === null
      ? { code: "custom", message: `"${value.slice(0, 100)}" is not a number` }
      : undefined,
  TIME: (value) =>
    instantOfTimeOrDate(value) === null
      ? { code: "invalid_string", message: "Invalid datetime", validation: "datetime" }
      : undefined,
  MULTIREF: label,
  SELECT: label,
  CREATOR: anything,
  CHOICE: (value, { options = [] }) => (options.includes(value) ? undefined : invalidEnumValue(options, value)),
};
