import type { AnySchema } from "ajv";
import { type Context, type ServiceBroker, Validators } from "moleculer";
import { unprocessable } from "../base/contract/errors.ts";
import { isSameSchema, issuesOfParams, VALIDATED_BY } from "../base/contract/validate.ts";

type Schema = AnySchema & Record<string, unknown>;
type Handler = (ctx: Context) => Promise<unknown>;

/**
 * Checks the params of actions and events against their JSON Schema, and rejects with a 422 that lists all issues.
 * Moleculer's own services describe their params in the language of fastest-validator, which goes on checking those.
 */
export class JsonSchemaValidator extends Validators.Base {
  readonly #fastest = new Validators.Fastest();

  constructor() {
    super({});
  }

  override init(broker: ServiceBroker): void {
    super.init(broker);
    this.#fastest.init(broker);
  }

  override compile(schema: Schema): Validators.Base.CheckerFunction {
    if (!isJsonSchema(schema)) return this.#fastest.compile(schema);
    return (params) => issuesOfParams(schema, params).length === 0;
  }

  override validate(params: Record<string, unknown>, schema: Schema): boolean {
    if (!isJsonSchema(schema)) return this.#fastest.validate(params, schema);
    const issues = issuesOfParams(schema, params);
    if (issues.length > 0) throw unprocessable(issues);
    return true;
  }

  override convertSchemaToMoleculer(schema: Schema): Record<string, unknown> {
    return isJsonSchema(schema) ? schema : this.#fastest.convertSchemaToMoleculer(schema);
  }

  override middleware(broker: ServiceBroker) {
    const fastest = this.#fastest.middleware(broker);
    return {
      name: "Validator",
      localAction: (next: Handler, action: { params?: unknown }) =>
        checked(next, action.params) ?? fastest.localAction(next, action),
      localEvent: (next: Handler, event: { params?: unknown }) =>
        checked(next, event.params) ?? fastest.localEvent(next, event),
    };
  }
}

/** A handler that is called only with params that fit the schema; undefined when the schema is no JSON Schema. */
function checked(next: Handler, schema: unknown): Handler | undefined {
  if (!isJsonSchema(schema)) return undefined;
  return (ctx) => {
    const { [VALIDATED_BY]: judgedBy } = ctx.options as { [VALIDATED_BY]?: Schema };
    if (judgedBy && isSameSchema(judgedBy, schema)) return next(ctx);
    const issues = issuesOfParams(schema, ctx.params ?? {});
    return issues.length > 0 ? Promise.reject(unprocessable(issues)) : next(ctx);
  };
}

/** Whether params are described by JSON Schema, as ours are, and not in the language of fastest-validator. */
export function isJsonSchema(schema: unknown): schema is Schema {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, $ref, oneOf, anyOf, allOf } = schema as Record<string, unknown>;
  return type === "object" || [$ref, oneOf, anyOf, allOf].some((keyword) => keyword !== undefined);
}
