import {
  Ajv,
  type AnySchema,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
  type ValidateFunction,
} from "ajv";
import { isDate } from "../values/dates.ts";
import { canonicalDecimal } from "../values/decimal.ts";
import { type ExactNumber, isExactNumber, type SentNumber, writtenOf } from "../values/exact-number.ts";
import { isPlainText, notPlain } from "../values/text.ts";
import { toIssues } from "./ajv-issues.ts";
import { bound, custom, type Issue, invalidType, type Path } from "./issues.ts";

// `unicode: false` makes ajv count UTF-16 units, as the limits do (gaps 2, "Text").
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
  discriminator: true,
  verbose: true,
  unicode: false,
  // ajv calls `unicode` deprecated on every start; there is no other way to count units.
  logger: false,
});

ajv.addFormat("date", isDate);
ajv.addFormat("date-or-empty", (text: string) => text === "" || isDate(text));
// The codes of ISO 4217 that the runtime's data knows, historic ones included.
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));
ajv.addFormat("currency", (text: string) => CURRENCIES.has(text));
ajv.addFormat("color", /^#[0-9a-fA-F]{6}$/);
ajv.addFormat("date-time", true);
ajv.addFormat("uri", true);
ajv.addFormat("uuid", true);
ajv.addKeyword("example");
// Validates nothing: the title of the schema that the API document has in the place of this one.
ajv.addKeyword("documentedAs");

/** A keyword of ours: gives the issue (without path) of a value, or undefined when there is none. */
function keyword<Argument>(
  name: string,
  type: FuncKeywordDefinition["type"],
  judge: (argument: Argument, value: never) => Omit<Issue, "path"> | undefined,
) {
  const validate: SchemaValidateFunction = (argument: Argument, value: unknown) => {
    const issue = judge(argument, value as never);
    validate.errors = issue ? [{ keyword: name, params: { issue } }] : [];
    return issue === undefined;
  };
  ajv.addKeyword({ keyword: name, ...(type && { type }), errors: true, validate });
}

const withoutPath = (message: string): Omit<Issue, "path"> => ({ code: "custom", message });

/** Text, and where it is true text that may be stored: no NUL, no unpaired surrogate. */
keyword("plainText", "string", (isPlain: boolean, text: string | ExactNumber) => {
  if (isExactNumber(text)) return invalidType("string", text);
  return !isPlain || isPlainText(text) ? undefined : withoutPath(notPlain(text));
});

/** Names are trimmed before their limits count. */
keyword("trimmedLength", "string", (limits: { min: number; max: number }, text: string) => {
  const { length } = text.trim();
  if (length < limits.min) return bound("too_small", "string", "minimum", limits.min, false);
  return length > limits.max ? bound("too_big", "string", "maximum", limits.max, false) : undefined;
});

/** A number or numeric string that fits a decimal of 38 digits, 10 of them after the point. */
keyword("decimal", ["string", "number"], (rule: { min?: number; maxLength?: number }, value: SentNumber) => {
  const isText = !isExactNumber(value) && typeof value === "string";
  if (isText && rule.maxLength !== undefined && value.length > rule.maxLength)
    return bound("too_big", "string", "maximum", rule.maxLength, false);
  const decimal = canonicalDecimal(value);
  if (decimal === null)
    return withoutPath(`${show(value)} is not a number of at most 38 digits, 10 of them after the point`);
  return rule.min !== undefined && Number(decimal) < rule.min
    ? bound("too_small", "number", "minimum", rule.min, false)
    : undefined;
});

/** A whole number in a range, as JSON number or as its digits, without zeros in front. */
keyword("wholeNumber", ["string", "number"], (rule: { min: number; max: number }, value: SentNumber) => {
  const written = isExactNumber(value) ? canonicalDecimal(value) : value;
  const isDigits = isExactNumber(value) ? /^-?\d+$/ : /^(0|[1-9]\d{0,14})$/;
  if (written === null || (typeof written === "string" && !isDigits.test(written)))
    return withoutPath(`${show(value)} is not a whole number`);
  const number = Number(written);
  if (!Number.isInteger(number)) return invalidType("integer", value);
  if (number < rule.min) return bound("too_small", "number", "minimum", rule.min, false);
  return number > rule.max ? bound("too_big", "number", "maximum", rule.max, false) : undefined;
});

/** A reference is named by one member of several: `{ id }` or `{ name }`, never both, never none. */
keyword("exactlyOneOf", "object", (names: string[], value: object) => {
  const given = names.filter((name) => Object.hasOwn(value, name)).length;
  return given === 1 ? undefined : { code: "invalid_union", message: `Give exactly one of: ${names.join(", ")}` };
});

/** A value in a message, numbers as they were written. */
function show(value: SentNumber): string {
  const shown = isExactNumber(value) ? writtenOf(value) : JSON.stringify(value);
  return shown.slice(0, 100);
}

const byIdentity = new WeakMap<object, ValidateFunction>();
// Schemas that crossed the bus are equal, not identical, and come again with every announcement of a node.
const byContent = new Map<string, ValidateFunction>();

function compiled(schema: AnySchema & object): ValidateFunction {
  let validate = byIdentity.get(schema);
  if (validate) return validate;
  const content = JSON.stringify(schema);
  validate = byContent.get(content);
  if (!validate) {
    validate = ajv.compile(schema);
    byContent.set(content, validate);
  }
  byIdentity.set(schema, validate);
  return validate;
}

/**
 * What is wrong with a value, by its JSON Schema: all issues, none when it fits. `at` is put before every path.
 * The schema is compiled once.
 */
export function issuesOf(schema: AnySchema & object, value: unknown, at: Path = []): Issue[] {
  const validate = compiled(schema);
  if (validate(value)) return [];
  const issues = toIssues(validate.errors ?? [], value, at);
  return issues.length > 0 ? issues : [custom(at, "The value is not valid")];
}
