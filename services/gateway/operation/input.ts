import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { readIfMatch } from "../../../base/contract/etag.ts";
import { type Issue, invalidType } from "../../../base/contract/issues.ts";
import { type Parameter, valuesOf } from "../../../base/contract/query-string.ts";
import { issuesOfNoBody, issuesOfParams } from "../../../base/contract/validate.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { readFilter } from "./filter-query.ts";
import { ignoredParameters, unknownParameters } from "./ignored-parameters.ts";
import { bindingOf, openCursor } from "./list-position.ts";
import type { Operation } from "./operation.ts";

/** Params for the action, and for a list what its cursors are bound to. */
export interface Input {
  params: Record<string, unknown>;
  binding: string;
  /** Fingerprint of the request, where it is known already: that of a large body with a key. */
  fingerprint?: string | undefined;
}

/**
 * Params of the call of an action: values of the path, known parameters of the query, the body. Unknown parameters are
 * ignored, unless a list is asked to refuse them: docs/guides/conventions.md#query-parameters. `cursor` becomes the
 * position `after`.
 * @throws ApiError 422 with all issues of path, query and body
 */
export function readInput(schema: ParamsSchema, operation: Operation, caller: Caller, seal: CursorSeal): Input {
  const issues: Issue[] = [];
  const params = parametersOf(schema, operation, issues);
  if ("body" in schema.properties) params.body = operation.body;
  issues.push(...issuesOfNoBody(schema, operation.body));
  const binding = bindInput(schema, operation, params, { caller, seal, issues });
  issues.push(...issuesOfParams(schema, params));
  if (issues.length > 0) throw unprocessable(issues);
  return { params, binding };
}

/** The params that stand in the path and the query. */
export function parametersOf(
  schema: ParamsSchema,
  operation: Pick<Operation, "route" | "path" | "query" | "isStrict" | "isPreview" | "ifMatch">,
  issues: Issue[],
): Record<string, unknown> {
  const { path, query, isStrict } = operation;
  const ignored = isStrict ? ignoredParameters(schema, operation) : [];
  if (ignored.length > 0) issues.push(unknownParameters(schema, path, ignored));
  return { ...path, ...knownParameters(schema, path, query, issues), ...headerParameters(schema, operation) };
}

/**
 * Values that the cursors of a list are bound to; the cursor that was sent becomes the param `after`. Empty for an
 * operation without pages.
 */
export function bindInput(
  schema: ParamsSchema,
  { route, query }: Pick<Operation, "route" | "query">,
  params: Record<string, unknown>,
  { caller, seal, issues }: { caller: Caller; seal: CursorSeal; issues: Issue[] },
): string {
  if (!("after" in schema.properties)) return "";
  const binding = bindingOf(schema, caller, route.path, params);
  const cursor = single(query, "cursor", issues);
  if (cursor !== undefined) params.after = openCursor(cursor, binding, seal, issues);
  return binding;
}

/**
 * The parameters of the headers that the action knows.
 * @throws ApiError 400 for a malformed If-Match
 */
function headerParameters(
  { properties }: ParamsSchema,
  { isPreview, ifMatch }: Pick<Operation, "isPreview" | "ifMatch">,
): Record<string, unknown> {
  return {
    ...(isPreview && { dryRun: true }),
    ...(ifMatch !== undefined && "ifMatch" in properties && { ifMatch: tagsOf(ifMatch) }),
  };
}

/** docs/guides/versions.md#conditions */
function tagsOf(ifMatch: string): string[] {
  const tags = readIfMatch(ifMatch);
  if (!tags)
    throw new ApiError("INVALID_REQUEST", 'An If-Match is one or several quoted tags with commas between, or "*".');
  return tags;
}

/** The parameters of the query that the action knows. */
function knownParameters(
  { properties }: ParamsSchema,
  path: Record<string, string>,
  query: Parameter[],
  issues: Issue[],
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(path, name) || name === "body" || name === "after" || property.header !== undefined) continue;
    const value = name === "filter" ? readFilter(query, issues) : read(query, name, property, issues);
    if (value !== undefined) params[name] = value;
  }
  return params;
}

function read(
  query: Parameter[],
  name: string,
  { type, emptyIsNone, isBracketed }: ParamsSchema["properties"][string],
  issues: Issue[],
): unknown {
  if (type === "array") {
    const values = valuesOf(query, name, true);
    if (emptyIsNone && values.length === 1 && values[0] === "") return [];
    return values.length > 0 ? values : undefined;
  }
  const value = single(query, name, issues, isBracketed);
  return type === "integer" && value !== undefined ? toInteger(name, value, issues) : value;
}

/** The value of a parameter that takes one. */
function single(query: Parameter[], name: string, issues: Issue[], isBracketed = false): string | undefined {
  const [first, second] = valuesOf(query, name, isBracketed);
  if (second !== undefined)
    issues.push({ ...invalidType("string", []), message: `"${name}" takes one value`, path: [name] } as Issue);
  return first;
}

/**
 * Number of digits that is beyond every range. A longer number could be Infinity, which no schema takes for a whole
 * number.
 */
const DIGITS_READ = 300;

/** Digits without a zero in front as a number; one with a minus is for the range of the parameter to refuse. */
function toInteger(name: string, text: string, issues: Issue[]): number | undefined {
  if (/^-?(0|[1-9]\d*)$/.test(text)) return Number(text.slice(0, DIGITS_READ));
  const isFraction = /^-?\d+\.\d+$/.test(text);
  const wrong = isFraction ? invalidType("integer", 0.5) : invalidType("number", Number.NaN);
  issues.push({ ...wrong, path: [name] } as Issue);
  return undefined;
}
