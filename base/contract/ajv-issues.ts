import type { ErrorObject } from "ajv";
import { isExactNumber } from "../values/exact-number.ts";
import {
  bound,
  either,
  ISSUES_MAX,
  type Issue,
  invalidEnumValue,
  invalidType,
  type Path,
  told,
  unrecognizedKeys,
} from "./issues.ts";

/**
 * The issues that ajv's errors about `value` stand for, one for each fault: the unknown keys of one object are one
 * issue, and errors that only follow from a wrong type are left out. `at` is put before every path.
 * docs/guides/conventions.md#issues
 */
export function toIssues(errors: readonly ErrorObject[], value: unknown, at: Path = []): Issue[] {
  const wrongType = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath));
  const issues: Issue[] = [];
  for (const error of errors) {
    // A body may have a hundred thousand faults. Those that are not told are not worked out either.
    if (issues.length === ISSUES_MAX) return told(issues);
    const issue = issueOf(error, value, at, wrongType);
    if (issue) issues.push(issue);
  }
  for (const [i, [place, { keys, known }]] of [...unknownKeysByPlace(errors)].entries())
    issues.push(unrecognizedKeys([...at, ...locate(place, value).path], keys, i < OFFERS_MAX ? known : []));
  return told(issues);
}

/**
 * The issue of an error, unless it only follows from a wrong type, or from an unknown key, which shares an issue with
 * others.
 */
function issueOf(error: ErrorObject, value: unknown, at: Path, wrongType: Set<string>): Issue | undefined {
  const follows = error.keyword !== "type" && wrongType.has(error.instancePath);
  if (follows || error.keyword === UNKNOWN_KEY) return undefined;
  const { path, found } = locate(error.instancePath, value);
  const translated = translate(error, found);
  if (!translated) return undefined;
  const { below = [], ...issue } = translated;
  if (issue.code === "invalid_type" && below.length === 0) wrongType.add(error.instancePath);
  return { ...issue, path: [...at, ...path, ...below] } as Issue;
}

/**
 * The issue of an error; undefined for a keyword that has none of its own. An exact number is a string to ajv. When ajv
 * finds something wrong with that string, the fault is that a number stands where a text belongs.
 */
function translate(error: ErrorObject, found: unknown): Translated | undefined {
  if (isExactNumber(found) && !TAKES_NUMBERS.includes(error.keyword))
    return invalidType(expectedBy(error.parentSchema), found);
  return KEYWORDS[error.keyword]?.(error, found);
}

const UNKNOWN_KEY = "additionalProperties";
const TAKES_NUMBERS = ["decimal", "wholeNumber"];

/** Number of objects in which the nearest names are looked for: a body can have unknown names in a hundred thousand. */
const OFFERS_MAX = 20;

interface UnknownKeys {
  keys: string[];
  /** The names that the object may have. */
  known: string[];
}

/**
 * Place of an object → its unknown keys, of as many places as one answer shows. ajv has an error for each key, but one
 * issue names them all.
 */
function unknownKeysByPlace(errors: readonly ErrorObject[]): Map<string, UnknownKeys> {
  const places = new Map<string, UnknownKeys>();
  for (const { keyword, instancePath, params, parentSchema } of errors) {
    if (keyword !== UNKNOWN_KEY) continue;
    const place = places.get(instancePath);
    if (!place && places.size === ISSUES_MAX) break;
    const key = String(params.additionalProperty);
    if (!place) places.set(instancePath, { keys: [key], known: Object.keys(parentSchema?.properties ?? {}) });
    else if (place.keys.length < ISSUES_MAX) place.keys.push(key);
  }
  return places;
}

type Translated = Omit<Issue, "path"> & { below?: Path };
type Translate = (error: ErrorObject, found: unknown) => Translated;

/** Format → the name by which clients know it, where that is another. */
const FORMAT_NAMES: Record<string, string> = {
  "date-or-empty": "date",
  timestamp: "datetime",
  "timestamp-or-date": "datetime",
  "time-of-day": "time",
};

/**
 * ajv keyword → issue. The last rows are our own keywords (base/contract/validate.ts), which bring their issue with
 * them.
 */
const KEYWORDS: Record<string, Translate> = {
  required: (error) => ({
    ...invalidType(missingType(error), undefined),
    message: "Required",
    below: [String(error.params.missingProperty)],
  }),
  type: (error, found) => invalidType(expectedBy(error.parentSchema), found),
  enum: (error, found) => invalidEnumValue(withoutNull(error.params.allowedValues), found),
  minLength: (error) => bound("too_small", "string", "minimum", error.params.limit, exactly(error)),
  maxLength: (error) => bound("too_big", "string", "maximum", error.params.limit, exactly(error)),
  minItems: (error) => bound("too_small", "array", "minimum", error.params.limit, false),
  maxItems: (error) => bound("too_big", "array", "maximum", error.params.limit, false),
  minimum: (error) => bound("too_small", "number", "minimum", error.params.limit, false),
  maximum: (error) => bound("too_big", "number", "maximum", error.params.limit, false),
  format: (error) => {
    const validation = FORMAT_NAMES[error.params.format] ?? error.params.format;
    return { code: "invalid_string", message: `Invalid ${validation}`, validation };
  },
  pattern: () => ({ code: "invalid_string", message: "Invalid", validation: "regex" }),
  discriminator: (error) => {
    const { tag, tagValue } = error.params as { tag: string; tagValue: unknown };
    const branches =
      (error.parentSchema as { oneOf?: { properties?: Record<string, { enum?: unknown[] }> }[] } | undefined)?.oneOf ??
      [];
    const options = branches.flatMap((branch) => branch.properties?.[tag]?.enum ?? []);
    const issue =
      typeof tagValue === "string" && !isExactNumber(tagValue)
        ? invalidEnumValue(options, tagValue)
        : { ...invalidType(either(options), tagValue), ...(tagValue === undefined && { message: "Required" }) };
    return { ...issue, below: [tag] };
  },
  plainText: carried,
  trimmedLength: carried,
  charactersMax: carried,
  decimal: carried,
  wholeNumber: carried,
  exactlyOneOf: carried,
  namesUser: carried,
  activityType: carried,
  recurrenceRule: carried,
  webAddress: carried,
  eitherMember: carried,
};

function carried(error: ErrorObject): Translated {
  return error.params.issue as Translated;
}

function exactly(error: ErrorObject): boolean {
  const schema = error.parentSchema as { minLength?: number; maxLength?: number } | undefined;
  return schema?.minLength !== undefined && schema.minLength === schema.maxLength;
}

interface Expecting {
  type?: string | string[];
  enum?: unknown[];
}

function missingType(error: ErrorObject): string {
  const { properties } = (error.parentSchema ?? {}) as { properties?: Record<string, object> };
  return expectedBy(properties?.[error.params.missingProperty]);
}

/**
 * Value that Zod names as expected: the options of an enum, else the type. Where a text may stand for a number, it is
 * the number.
 */
function expectedBy(schema: object = {}): string {
  const { enum: options, type = "string" } = schema as Expecting;
  if (options) return either(withoutNull(options));
  const types = [type].flat();
  return types.includes("number") ? "number" : (types.find((type) => type !== "null") ?? "null");
}

function withoutNull(options: unknown[]): unknown[] {
  return options.filter((option) => option !== null);
}

/** A JSON pointer as a path, with numbers for positions in lists, and the value to which it points. */
function locate(pointer: string, root: unknown): { path: Path; found: unknown } {
  const path: Path = [];
  let found: unknown = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(found) ? Number(name) : name);
    found = (found as Record<string, unknown> | undefined)?.[name];
  }
  return { path, found };
}
