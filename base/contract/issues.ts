import { isExactNumber } from "../values/exact-number.ts";
import { nearest } from "../values/known-names.ts";

/** A place in a body, a query or a path: names and indexes from its root. */
export type Path = (string | number)[];

export const ISSUE_CODES = [
  "invalid_type",
  "too_small",
  "too_big",
  "invalid_enum_value",
  "invalid_string",
  "unrecognized_keys",
  "invalid_union",
  "custom",
] as const;

/** One fault of a request, in the form of a Zod 3 issue. docs/guides/conventions.md#issues */
export interface Issue {
  code: (typeof ISSUE_CODES)[number];
  message: string;
  path: Path;
  [more: string]: unknown;
}

/** Maximum number of issues in an answer, so that an answer is not larger than the request that caused it. */
export const ISSUES_MAX = 1000;

/**
 * A name or a text of the request stands in an issue up to this length, in UTF-16 units. No name that there can be is
 * longer, and a member whose name has megabytes would stand in each of a thousand issues below it.
 */
const TOLD_LENGTH_MAX = 1000;

/** Issues as an answer shows them: the first of them, with long quotes of the request cut. */
export function told(issues: readonly Issue[]): Issue[] {
  return issues.slice(0, ISSUES_MAX).map((issue) => ({
    ...issue,
    path: issue.path.map((part) => (typeof part === "string" ? cut(part) : part)),
    ...(Array.isArray(issue.keys) && { keys: issue.keys.map((key: unknown) => cut(String(key))) }),
    ...(typeof issue.received === "string" && { received: cut(issue.received) }),
  }));
}

function cut(text: string): string {
  return text.length > TOLD_LENGTH_MAX ? `${text.slice(0, TOLD_LENGTH_MAX - 1).toWellFormed()}…` : text;
}

/** Facts of a custom issue for programs. docs/guides/upsert.md#several-records-for-one-key */
export interface IssueParams {
  /** The key of an upsert that has found several records, or one too many. */
  key?: string;
  /** Ids of these records, at most ten. */
  candidates?: string[];
  /** Number of records that a request is about, where that is too many. */
  records?: number;
}

/** An issue of a rule that no schema can express: an unknown reference, a taken name, a refused value. */
export function custom(path: Path, message: string, params?: IssueParams): Issue {
  return { code: "custom", message, path, ...(params && { params }) };
}

/** Maximum number of unknown names that a message shows. */
const KEYS_SHOWN_MAX = 20;
/** Maximum number of characters that a message shows of each. */
const KEY_SHOWN_LENGTH_MAX = 100;

/**
 * An issue of names that an object may not have. Its message offers the nearest of those that it may have.
 * docs/guides/conventions.md#bodies
 */
export function unrecognizedKeys(path: Path, keys: string[], known: readonly string[] = []): Issue {
  const shown = keys.slice(0, KEYS_SHOWN_MAX);
  const list = shown.map((key) => `'${key.slice(0, KEY_SHOWN_LENGTH_MAX)}'`).join(", ");
  // Clients write names in several ways: first_name, first-name, FirstName.
  const meant = new Set(shown.flatMap((key) => nearest(key.replaceAll(/[\s_-]/g, ""), known) ?? []));
  const offer = meant.size === 0 ? "" : `. Did you mean ${Array.from(meant, (name) => `'${name}'`).join(", ")}?`;
  return { code: "unrecognized_keys", message: `Unrecognized key(s) in object: ${list}${offer}`, path, keys };
}

/** An issue of a text, list or number over its limit. */
export function tooBig(path: Path, type: "string" | "array" | "number", maximum: number): Issue {
  return { ...bound("too_big", type, "maximum", maximum, false), path } as Issue;
}

/**
 * The type of a value as Zod names it: like `typeof`, but `null`, `array` and `nan` too. An exact number is a `number`.
 */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isExactNumber(value)) return "number";
  if (typeof value === "number" && Number.isNaN(value)) return "nan";
  return typeof value;
}

/** An `invalid_type` without its path. Where an integer is expected, another number is a `float`. */
export function invalidType(expected: string, found: unknown): Omit<Issue, "path"> {
  const float = expected === "integer" && typeName(found) === "number";
  const received = float ? "float" : found === undefined ? "undefined" : typeName(found);
  const wanted = received === "nan" ? "number" : expected;
  return { code: "invalid_type", message: `Expected ${wanted}, received ${received}`, expected: wanted, received };
}

/** An `invalid_enum_value` without its path: a value that is none of a few words. */
export function invalidEnumValue(options: readonly unknown[], received: unknown): Omit<Issue, "path"> {
  return {
    code: "invalid_enum_value",
    message: `Invalid enum value. Expected ${either(options)}, received '${String(received).slice(0, 100)}'`,
    options,
    received,
  };
}

/** Words as messages list them: `'admin' | 'reader'`. */
export function either(options: readonly unknown[]): string {
  return options.map((option) => `'${option}'`).join(" | ");
}

/** A `too_small` or `too_big` without its path. */
export function bound(
  code: "too_small" | "too_big",
  type: "string" | "array" | "number",
  name: "minimum" | "maximum",
  limit: number,
  exact: boolean,
): Omit<Issue, "path"> {
  const what = { string: "String", array: "Array", number: "Number" }[type];
  const unit = { string: " character(s)", array: " element(s)", number: "" }[type];
  const verb = type === "number" ? "be" : "contain";
  const how = exact ? "exactly" : BOUND_WORDS[`${code} ${type === "number"}`];
  return {
    code,
    message: `${what} must ${verb} ${how} ${limit}${unit}`,
    [name]: limit,
    type,
    inclusive: true,
    exact,
  } as Omit<Issue, "path">;
}

const BOUND_WORDS: Record<string, string> = {
  "too_small false": "at least",
  "too_small true": "greater than or equal to",
  "too_big false": "at most",
  "too_big true": "less than or equal to",
};
