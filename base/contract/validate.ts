import {
  Ajv,
  type AnySchema,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
  type ValidateFunction,
} from "ajv";
import { TARGET_URL_LENGTH_MAX } from "../../config/limits.ts";
import { RULE_LENGTH_MAX, readRule } from "../schedules/rule.ts";
import { ACTIVITY_TYPE_LENGTH_MAX, ACTIVITY_TYPES, isActivityType } from "../values/activity-types.ts";
import { isDate } from "../values/dates.ts";
import { canonicalDecimal } from "../values/decimal.ts";
import { type ExactNumber, isExactNumber, type SentNumber, writtenOf } from "../values/exact-number.ts";
import { isPlainText, notPlain } from "../values/text.ts";
import { instantOf, instantOfTimeOrDate } from "../values/times.ts";
import { toIssues } from "./ajv-issues.ts";
import { bound, custom, type Issue, invalidEnumValue, invalidType, type Path } from "./issues.ts";

// `unicode: false` makes ajv count UTF-16 units, as the limits do. docs/guides/values.md#text
const OPTIONS = {
  allErrors: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
  discriminator: true,
  verbose: true,
  unicode: false,
  // ajv would log on every start that `unicode` is deprecated, but nothing else makes it count units.
  logger: false,
} as const;
const ajv = new Ajv({ ...OPTIONS, strict: true });
/**
 * Judges by schemas of a later release, which runs beside this one during an update and may have keywords and formats
 * that are unknown here. It leaves those to the node that the call goes to, which judges the params again.
 */
const ajvOfLater = new Ajv({ ...OPTIONS, strict: false });

// The codes of ISO 4217 that the runtime's data knows, historic ones included.
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

for (const one of [ajv, ajvOfLater]) {
  one.addFormat("date", isDate);
  one.addFormat("date-or-empty", (text: string) => text === "" || isDate(text));
  one.addFormat("timestamp", (text: string) => instantOf(text) !== null);
  one.addFormat("timestamp-or-date", (text: string) => instantOfTimeOrDate(text) !== null);
  one.addFormat("time-of-day", /^([01]\d|2[0-3]):[0-5]\d$/);
  one.addFormat("currency", (text: string) => CURRENCIES.has(text));
  one.addFormat("color", /^#[0-9a-fA-F]{6}$/);
  one.addFormat("date-time", true);
  one.addFormat("uri", true);
  one.addFormat("uuid", true);
  one.addKeyword("example");
  // Validates nothing. It names the schema that stands in the OpenAPI document in the place of this one.
  one.addKeyword("documentedAs");
  // Validates nothing. It is the schema that stands in the OpenAPI document in the place of this one.
  one.addKeyword("documentedBy");
  // Validates nothing. It tells the OpenAPI document which fields a filter has.
  one.addKeyword("filteredFields");
  // Read by the gateway: of a list in the query, that one empty value stands for no entries.
  one.addKeyword("emptyIsNone");
  // Read by the gateway: a parameter with one value whose name may have the bracket of a list.
  one.addKeyword("isBracketed");
  // Read by the gateway: the name of the header in which a request sends the parameter.
  one.addKeyword("header");
  // Read by the gateway: a parameter that may be another one on each page of a list. Cursors are not bound to it.
  one.addKeyword("apartFromCursor");
}

/**
 * Adds one of our keywords to ajv. `judge` returns the issue of a value, with a path only below the value, and
 * undefined if the value fits.
 */
function addKeyword<Argument>(
  name: string,
  type: FuncKeywordDefinition["type"],
  judge: (argument: Argument, value: never) => (Omit<Issue, "path"> & { below?: Path }) | undefined,
) {
  const validate: SchemaValidateFunction = (argument: Argument, value: unknown) => {
    const issue = judge(argument, value as never);
    validate.errors = issue ? [{ keyword: name, params: { issue } }] : [];
    return issue === undefined;
  };
  for (const one of [ajv, ajvOfLater]) one.addKeyword({ keyword: name, ...(type && { type }), errors: true, validate });
}

const withoutPath = (message: string): Omit<Issue, "path"> => ({ code: "custom", message });

/**
 * A text that is no exact number. With `true` it is one that may be stored, too: without NUL and unpaired surrogates.
 */
addKeyword("plainText", "string", (isPlain: boolean, text: string | ExactNumber) => {
  if (isExactNumber(text)) return invalidType("string", text);
  return !isPlain || isPlainText(text) ? undefined : withoutPath(notPlain(text));
});

/** A name, whose limits count after it was trimmed. docs/guides/values.md#text */
addKeyword("trimmedLength", "string", (limits: { min: number; max: number }, text: string) => {
  const { length } = text.trim();
  if (length < limits.min) return bound("too_small", "string", "minimum", limits.min, false);
  return length > limits.max ? bound("too_big", "string", "maximum", limits.max, false) : undefined;
});

/** An object whose names and texts are limited in their characters, all together. docs/guides/filters.md#conditions */
addKeyword("charactersMax", "object", (max: number, value: object) =>
  charactersIn(value) > max ? bound("too_big", "string", "maximum", max, false) : undefined,
);

function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).join("").length;
  return Object.values(value).reduce<number>((sum, member) => sum + charactersIn(member), names);
}

/** A number, or a text with one, of at most 38 digits, 10 of them after the point. docs/guides/values.md#numbers */
addKeyword("decimal", ["string", "number"], (rule: { min?: number; maxLength?: number }, value: SentNumber) => {
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
addKeyword("wholeNumber", ["string", "number"], (rule: { min: number; max: number }, value: SentNumber) => {
  const written = isExactNumber(value) ? canonicalDecimal(value) : value;
  const isDigits = isExactNumber(value) ? /^-?\d+$/ : /^(0|[1-9]\d{0,14})$/;
  if (written === null || (typeof written === "string" && !isDigits.test(written)))
    return withoutPath(`${show(value)} is not a whole number`);
  const number = Number(written);
  if (!Number.isInteger(number)) return invalidType("integer", value);
  if (number < rule.min) return bound("too_small", "number", "minimum", rule.min, false);
  return number > rule.max ? bound("too_big", "number", "maximum", rule.max, false) : undefined;
});

/**
 * An object that has exactly one of several members: a reference is `{ id }` or `{ name }`, never both and never none.
 */
addKeyword("exactlyOneOf", "object", (names: string[], value: object) =>
  countOf(names, value) === 1 ? undefined : notOneOf(names),
);

/**
 * A reference to a user by id or by e-mail address. Both together may be those of two users, except with the `fullName`
 * that answers show, because the field compares all three. docs/guides/custom-fields.md#values-that-were-read
 */
addKeyword("namesUser", "object", (_: true, value: object) => {
  const names = ["id", "email"];
  const most = Object.hasOwn(value, "fullName") ? 2 : 1;
  const given = countOf(names, value);
  return given >= 1 && given <= most ? undefined : notOneOf(names);
});

function countOf(names: string[], value: object): number {
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

function notOneOf(names: string[]): Omit<Issue, "path"> {
  return { code: "invalid_union", message: `Give exactly one of: ${names.join(", ")}` };
}

/**
 * Kind of a logged interaction: one of a few words, or an emoji. A text that is too long gets only the issue of its
 * length.
 */
addKeyword("activityType", "string", (_: true, text: string) =>
  isActivityType(text) || text.length > ACTIVITY_TYPE_LENGTH_MAX ? undefined : invalidEnumValue(ACTIVITY_TYPES, text),
);

/** The rule of a reminder. A text that is too long gets only the issue of its length. docs/guides/reminders.md#rules */
addKeyword("recurrenceRule", "string", (_: true, text: string) => {
  const read = text.length > RULE_LENGTH_MAX ? undefined : readRule(text);
  return read && "problem" in read ? withoutPath(read.problem) : undefined;
});

/** Target of a webhook. A text that is too long gets only the issue of its length. docs/guides/webhooks.md#targets */
addKeyword("webAddress", "string", (_: true, text: string) => {
  const refusal = text.length > TARGET_URL_LENGTH_MAX ? null : refuseWebAddress(text);
  return refusal === null ? undefined : { code: "invalid_string", message: refusal, validation: "url" };
});

/**
 * An object that has one of two members that mean the same, a deprecated one and the one in its place; or both, if they
 * agree.
 */
addKeyword("eitherMember", "object", ([deprecated = "", member = ""]: string[], value: Record<string, unknown>) => {
  const [old, current] = [value[deprecated], value[member]];
  if (old === undefined && current === undefined)
    return { ...invalidType("string", undefined), message: "Required", below: [member] };
  if (old === undefined || current === undefined || old === current) return undefined;
  return { ...withoutPath(`"${deprecated}" and "${member}" mean the same, and differ here`), below: [deprecated] };
});

/** A value as a message shows it: a number as it was written. */
function show(value: SentNumber): string {
  const shown = isExactNumber(value) ? writtenOf(value) : JSON.stringify(value);
  return shown.slice(0, 100);
}

const byIdentity = new WeakMap<object, ValidateFunction>();
// A schema that crossed the bus is equal to the one that was compiled, not identical, and a new copy of it comes with
// every announcement of a node.
const byContent = new Map<string, ValidateFunction>();

function compiled(schema: AnySchema & object): ValidateFunction {
  let validate = byIdentity.get(schema);
  if (validate) return validate;
  const content = JSON.stringify(schema);
  validate = byContent.get(content);
  if (!validate) {
    validate = isOfThisRelease(schema) ? ajv.compile(schema) : ajvOfLater.compile(schema);
    byContent.set(content, validate);
  }
  byIdentity.set(schema, validate);
  return validate;
}

/** Whether a schema has no keyword or format that this release does not know. */
export function isOfThisRelease(schema: AnySchema & object): boolean {
  try {
    ajv.compile(schema);
    return true;
  } catch {
    // An invalid JSON Schema fails again where it is compiled.
    return false;
  }
}

/** Compiles a schema before its first value is judged. */
export function prepareSchema(schema: AnySchema & object): void {
  compiled(schema);
}

/**
 * Key of an option of a call: the schema by which its params have been judged sound, so that an action in the same
 * process does not judge them again. Options do not cross the bus.
 */
export const VALIDATED_BY: unique symbol = Symbol("judged by");

/**
 * Key of an option of a call: the schema that its params were made for, so that it goes to a node that has this one
 * (bus/fitting-node.ts).
 */
export const MADE_FOR: unique symbol = Symbol("made for");

/** Whether two schemas say the same. */
export function isSameSchema(one: AnySchema & object, other: AnySchema & object): boolean {
  return one === other || compiled(one) === compiled(other);
}

/**
 * Issues of a value by its JSON Schema: all of them, none when it fits. `at` is put before every path. The schema is
 * compiled once.
 */
export function issuesOf(schema: AnySchema & object, value: unknown, at: Path = []): Issue[] {
  const validate = compiled(schema);
  if (validate(value)) return [];
  const issues = toIssues(validate.errors ?? [], value, at);
  return issues.length > 0 ? issues : [custom(at, "The value is not valid")];
}

/**
 * Issues of the params of an action, by their JSON Schema. Params are `{ ...path, ...query, body }`, but the path of an
 * issue in the body begins at the root of the body, as its sender sees it. docs/guides/conventions.md#issues
 */
export function issuesOfParams(schema: AnySchema & object, params: unknown): Issue[] {
  return issuesOf(schema, params).map((issue) =>
    issue.path[0] === "body" ? { ...issue, path: issue.path.slice(1) } : issue,
  );
}

const NO_BODY = { type: "object", additionalProperties: false };

/** Issues of a body for an operation that takes none. Empty for an operation with a body, which its schema judges. */
export function issuesOfNoBody({ properties }: { properties: object }, body: unknown): Issue[] {
  return "body" in properties ? [] : issuesOf(NO_BODY, body);
}

const BEGINNING = /^https?:\/\/(?<authority>[^/?#\\]+)/i;
/** Blanks of every kind, control characters, and the backslash, which some programs read as a slash. */
const NEVER_IN_A_URL = /[\s\p{Cc}\\]/u;

/**
 * Reason for refusing a web address, null for a good one: it has to be an absolute URL of http or https that every
 * program reads in the same way, without parts that answers and logs must not show. docs/guides/webhooks.md#targets
 */
function refuseWebAddress(text: string): string | null {
  if (!isPlainText(text)) return notPlain(text);
  const authority = BEGINNING.exec(text)?.groups?.authority;
  if (authority === undefined) return "It has to be an absolute URL that begins with http:// or https:// and a host";
  if (NEVER_IN_A_URL.test(text)) return "A URL has no blanks, control characters and backslashes: encode them";
  if (text.includes("#")) return "A URL with a fragment is refused, since a fragment is never sent: leave out the #";
  if (authority.includes("@"))
    return "A URL with a user or a password is refused, since answers and logs show it: put a token into the path";
  return URL.canParse(text) ? null : "This is not a valid URL";
}
