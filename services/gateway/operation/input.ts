import type { Caller } from "../../../lib/contract/caller.ts";
import { unprocessable } from "../../../lib/contract/errors.ts";
import { type Issue, invalidType } from "../../../lib/contract/issues.ts";
import { issuesOf } from "../../../lib/contract/validate.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { readFilter } from "./filter-query.ts";
import { bindingOf, openCursor } from "./list-position.ts";
import type { Operation } from "./operation.ts";
import { type Parameter, valuesOf } from "./query-string.ts";

/** JSON Schema of the params of an action, as the registry has it. */
export interface ParamsSchema {
  properties: Record<string, { type?: string; emptyIsNone?: boolean; apartFromCursor?: boolean }>;
}

/** Params for the action, and for a list what its cursors are bound to. */
export interface Input {
  params: Record<string, unknown>;
  binding: string;
}

const NO_BODY = { type: "object", additionalProperties: false };

/**
 * What the action is called with: values of the path, known parameters of the query, the body. Unknown parameters are
 * ignored: docs/guides/conventions.md#query-parameters. `cursor` becomes the position `after`.
 * @throws ApiError 422 with all issues of path, query and body
 */
export function readInput(
  schema: ParamsSchema,
  { route, path, query, body }: Operation,
  caller: Caller,
  seal: CursorSeal,
): Input {
  const issues: Issue[] = [];
  const params: Record<string, unknown> = { ...path, ...knownParameters(schema, path, query, issues) };
  if ("body" in schema.properties) params.body = body;
  else issues.push(...issuesOf(NO_BODY, body));
  const isList = "after" in schema.properties;
  const binding = isList ? bindingOf(schema, caller, route.path, params) : "";
  const cursor = isList ? single(query, "cursor", issues) : undefined;
  if (cursor !== undefined) params.after = openCursor(cursor, binding, seal, issues);
  for (const issue of issuesOf(schema, params))
    issues.push(issue.path[0] === "body" ? { ...issue, path: issue.path.slice(1) } : issue);
  if (issues.length > 0) throw unprocessable(issues);
  return { params, binding };
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
    if (Object.hasOwn(path, name) || name === "body" || name === "after") continue;
    const value = name === "filter" ? readFilter(query, issues) : read(query, name, property, issues);
    if (value !== undefined) params[name] = value;
  }
  return params;
}

function read(
  query: Parameter[],
  name: string,
  { type, emptyIsNone }: ParamsSchema["properties"][string],
  issues: Issue[],
): unknown {
  if (type === "array") {
    const values = valuesOf(query, name, true);
    if (emptyIsNone && values.length === 1 && values[0] === "") return [];
    return values.length > 0 ? values : undefined;
  }
  const value = single(query, name, issues);
  return type === "integer" && value !== undefined ? toInteger(name, value, issues) : value;
}

/** The value of a parameter that takes one. */
function single(query: Parameter[], name: string, issues: Issue[]): string | undefined {
  const [first, second] = valuesOf(query, name);
  if (second !== undefined)
    issues.push({ ...invalidType("string", []), message: `"${name}" takes one value`, path: [name] } as Issue);
  return first;
}

/** A number of so many digits is beyond every range. One of more could be Infinity, which no schema takes for a whole number. */
const DIGITS_READ = 300;

/** Digits without a zero in front as a number; one with a minus is for the range of the parameter to refuse. */
function toInteger(name: string, text: string, issues: Issue[]): number | undefined {
  if (/^-?(0|[1-9]\d*)$/.test(text)) return Number(text.slice(0, DIGITS_READ));
  const isFraction = /^-?\d+\.\d+$/.test(text);
  const wrong = isFraction ? invalidType("integer", 0.5) : invalidType("number", Number.NaN);
  issues.push({ ...wrong, path: [name] } as Issue);
  return undefined;
}
