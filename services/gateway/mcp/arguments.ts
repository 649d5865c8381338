import type { Caller } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import type { TSchema } from "../../../base/contract/schema.ts";
import type { Condition } from "../../../engine/filters/condition.ts";
import { fromJson } from "../../../engine/filters/from-json.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import type { Input } from "../operation/input.ts";
import { bindingOf, openCursor } from "../operation/list-position.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { argumentSchema, isYesOrNo } from "./argument-schema.ts";

export type Arguments = Record<string, unknown>;

interface Reading {
  /** The path of the operation with the same action, to which cursors are bound. */
  listPath: string;
  caller: Caller;
  seal: CursorSeal;
}

/** Schema of an action's params → schema of the arguments, without a key for the write and with one. */
const argumentSchemas = new WeakMap<ParamsSchema, Map<boolean, TSchema>>();

/**
 * Params of an action made of the arguments of a tool: those of the request that does the same. Cursors are those of
 * the list of the REST API. docs/guides/assistants.md#arguments
 * @param sent arguments that their schema takes
 * @throws ApiError 422 with all issues, whose paths are those of the arguments
 */
export function readArguments(schema: ParamsSchema, sent: Arguments, reading: Reading): Input {
  const issues: Issue[] = [];
  const params = parametersIn(schema, sent, issues);
  if ("body" in schema.properties) params.body = bodyIn(schema, sent);
  const isList = "after" in schema.properties;
  const binding = isList ? bindingOf(schema, reading.caller, reading.listPath, params) : "";
  if (sent.cursor !== undefined) params.after = openCursor(String(sent.cursor), binding, reading.seal, issues);
  if (issues.length > 0) throw unprocessable(issues);
  return { params, binding };
}

/** Parameters of the path and the query of a request. */
function parametersIn({ properties }: ParamsSchema, sent: Arguments, issues: Issue[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [parameter, property] of Object.entries(properties)) {
    const [name = "", inner] = parameter.split(".");
    const value = inner === undefined ? sent[name] : (sent[name] as Arguments | undefined)?.[inner];
    if (value === undefined || parameter === "body" || parameter === "after") continue;
    params[parameter] = parameter === "filter" ? conditionsOf(value as never, issues) : asParameter(value, property);
  }
  return params;
}

/** Arguments that remain for the body of a request. */
function bodyIn({ properties }: ParamsSchema, { idempotencyKey: _, cursor: __, ...sent }: Arguments): Arguments {
  const parameters = new Set(Object.keys(properties).map((parameter) => parameter.split(".")[0]));
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !parameters.has(name)));
}

/** The schema of the arguments of a tool, made once of that of the params of its action. */
export function schemaOfArguments(schema: ParamsSchema, takesKey: boolean, idParameter?: string): TSchema {
  const made = argumentSchemas.get(schema) ?? new Map<boolean, TSchema>();
  argumentSchemas.set(schema, made);
  const found = made.get(takesKey) ?? argumentSchema(schema, takesKey, idParameter);
  made.set(takesKey, found);
  return found;
}

/**
 * The conditions of a list, whose form the schema of its action would not take with what `fromJson` tells of them
 * beside.
 */
function conditionsOf(filter: Parameters<typeof fromJson>[0], issues: Issue[]): Condition[] {
  return fromJson(filter).map(({ malformed, hasNumbers: _, ...condition }) => {
    if (malformed !== undefined) issues.push(custom(["filter", condition.field], malformed));
    return condition;
  });
}

function asParameter(value: unknown, property: ParamsSchema["properties"][string]): unknown {
  return isYesOrNo(property) ? String(value) : value;
}
