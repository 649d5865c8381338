import type { ErrorObject } from "ajv";

/** A place in a body, a query or a path: names and indexes from its root. */
export type Path = (string | number)[];

/** One fault of a request, in the form of a Zod 3 issue. gaps 2, "Issues". */
export interface Issue {
  code:
    | "invalid_type"
    | "too_small"
    | "too_big"
    | "invalid_enum_value"
    | "invalid_string"
    | "unrecognized_keys"
    | "invalid_union"
    | "custom";
  message: string;
  path: Path;
  [more: string]: unknown;
}

/** At most so many issues are told, so that an answer stays smaller than the request that caused it. */
const ISSUES_MAX = 1000;

/** An issue of a rule that is no matter of form: an unknown reference, a taken name, a refused value. */
export function custom(path: Path, message: string): Issue {
  return { code: "custom", message, path };
}

/** An issue of names that an object may not have. */
export function unrecognizedKeys(path: Path, keys: string[]): Issue {
  const list = keys.slice(0, 20).map((key) => `'${key.slice(0, 100)}'`).join(", ");
  return { code: "unrecognized_keys", message: `Unrecognized key(s) in object: ${list}`, path, keys };
}

/** An issue of a text, list or number over its limit. */
export function tooBig(path: Path, type: "string" | "array" | "number", maximum: number): Issue {
  return { ...bound("too_big", type, "maximum", maximum, false), path } as Issue;
}

/** What `typeof` should have said: `array`, `null`, `nan` and the float and integer of Zod. A number that was kept exact is a number. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return isExactNumber(value) ? "number" : "string";
  if (typeof value === "number" && Number.isNaN(value)) return "nan";
  return typeof value;
}

/**
 * JSON numbers that a double cannot hold travel as this mark and their source text (lib/json.ts). No text that a
 * client may send begins with NUL, so the two cannot be mistaken.
 */
export const EXACT_NUMBER_MARK = "\u0000#";

/** Whether a value stands for a JSON number that was kept as written. */
export function isExactNumber(value: unknown): boolean {
  return typeof value === "string" && value.startsWith(EXACT_NUMBER_MARK);
}

/**
 * ajv's errors about `value` as issues, one for each fault: unknown keys of one object together, and what follows from a
 * wrong type left out. `at` is put before every path.
 */
export function toIssues(errors: readonly ErrorObject[], value: unknown, at: Path = []): Issue[] {
  const issues: Issue[] = [];
  const wrongType = new Set<string>();
  const unknownKeys = new Map<string, string[]>();
  for (const error of errors) if (error.keyword === "type") wrongType.add(error.instancePath);
  for (const error of errors) {
    if (issues.length >= ISSUES_MAX) break;
    const siblings = error.keyword === "additionalProperties" ? unknownKeys.get(error.instancePath) : undefined;
    if (siblings) {
      siblings.push(String(error.params.additionalProperty));
      continue;
    }
    if (error.keyword !== "type" && wrongType.has(error.instancePath)) continue;
    const translate = KEYWORDS[error.keyword];
    if (!translate) continue;
    const { path, found } = locate(error.instancePath, value);
    if (error.keyword === "additionalProperties") {
      const keys = [String(error.params.additionalProperty)];
      unknownKeys.set(error.instancePath, keys);
      issues.push(unrecognizedKeys([...at, ...path], keys));
      continue;
    }
    const { below, ...issue } = translate(error, found);
    issues.push({ ...issue, path: [...at, ...path, ...(below ?? [])] } as Issue);
  }
  // Their keys are complete only now.
  return issues.map((issue) => (issue.code === "unrecognized_keys" ? unrecognizedKeys(issue.path, (issue.keys as string[]).slice(0, ISSUES_MAX)) : issue));
}

type Translated = Omit<Issue, "path"> & { below?: Path };
type Translate = (error: ErrorObject, found: unknown) => Translated;

/** ajv keyword → issue. The last rows are our own keywords (lib/validate.ts), which bring their issue with them. */
const KEYWORDS: Record<string, Translate> = {
  required: (error) => ({ ...invalidType(missingType(error), undefined), message: "Required", below: [String(error.params.missingProperty)] }),
  additionalProperties: () => ({ code: "unrecognized_keys", message: "" }),
  type: (error, found) => {
    const expected = [error.params.type].flat().find((type) => type !== "null") ?? "null";
    return invalidType(String(expected), found);
  },
  enum: (error, found) => {
    return badOption((error.params.allowedValues as unknown[]).filter((option) => option !== null), found);
  },
  minLength: (error) => bound("too_small", "string", "minimum", error.params.limit, exactly(error)),
  maxLength: (error) => bound("too_big", "string", "maximum", error.params.limit, exactly(error)),
  minItems: (error) => bound("too_small", "array", "minimum", error.params.limit, false),
  maxItems: (error) => bound("too_big", "array", "maximum", error.params.limit, false),
  minimum: (error) => bound("too_small", "number", "minimum", error.params.limit, false),
  maximum: (error) => bound("too_big", "number", "maximum", error.params.limit, false),
  format: (error) => ({ code: "invalid_string", message: `Invalid ${error.params.format}`, validation: error.params.format }),
  pattern: () => ({ code: "invalid_string", message: "Invalid", validation: "regex" }),
  discriminator: (error) => {
    const { tag, tagValue } = error.params as { tag: string; tagValue: unknown };
    const branches = (error.parentSchema as { oneOf?: { properties?: Record<string, { enum?: unknown[] }> }[] } | undefined)?.oneOf ?? [];
    const options = branches.flatMap((branch) => branch.properties?.[tag]?.enum ?? []);
    const issue = typeof tagValue === "string" ? badOption(options, tagValue) : { ...invalidType("string", tagValue), ...(tagValue === undefined && { message: "Required" }) };
    return { ...issue, below: [tag] };
  },
  plainText: carried,
  trimmedLength: carried,
  decimal: carried,
  wholeNumber: carried,
  exactlyOneOf: carried,
};

function badOption(options: unknown[], received: unknown): Translated {
  const list = options.map((option) => `'${option}'`).join(" | ");
  return { code: "invalid_enum_value", message: `Invalid enum value. Expected ${list}, received '${String(received).slice(0, 100)}'`, options, received };
}

function carried(error: ErrorObject): Translated {
  return error.params.issue as Translated;
}

/** An `invalid_type` without its path. */
export function invalidType(expected: string, found: unknown): Omit<Issue, "path"> {
  const float = expected === "integer" && typeof found === "number" && Number.isFinite(found);
  const received = float ? "float" : found === undefined ? "undefined" : typeName(found);
  const wanted = received === "nan" ? "number" : expected;
  return { code: "invalid_type", message: `Expected ${wanted}, received ${received}`, expected: wanted, received };
}

/** A bound without its path. */
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
  return { code, message: `${what} must ${verb} ${how} ${limit}${unit}`, [name]: limit, type, inclusive: true, exact } as Omit<Issue, "path">;
}

const BOUND_WORDS: Record<string, string> = {
  "too_small false": "at least",
  "too_small true": "greater than or equal to",
  "too_big false": "at most",
  "too_big true": "less than or equal to",
};

function exactly(error: ErrorObject): boolean {
  const schema = error.parentSchema as { minLength?: number; maxLength?: number } | undefined;
  return schema?.minLength !== undefined && schema.minLength === schema.maxLength;
}

function missingType(error: ErrorObject): string {
  const properties = (error.parentSchema as { properties?: Record<string, { type?: string | string[]; enum?: unknown[] }> } | undefined)?.properties;
  const schema = properties?.[error.params.missingProperty];
  return String([schema?.type ?? "string"].flat()[0]);
}

/** JSON pointer → path with numbers for positions in lists, and the value there. */
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
