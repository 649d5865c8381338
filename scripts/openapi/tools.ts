import type { TSchema } from "../../lib/contract/schema.ts";
import type { FilteredFields } from "../../lib/filters/row-filters.ts";
import { argumentSchema } from "../../services/gateway/mcp/argument-schema.ts";
import { type Tool, tools } from "../../services/gateway/mcp/tools.ts";
import type { ParamsSchema } from "../../services/gateway/operation/input.ts";
import { isWrite } from "../../services/gateway/operation/routes.ts";
import { toolFilterText } from "./filters.ts";
import type { ActionText } from "./operations.ts";
import { createSchemas, type Schema } from "./schemas.ts";

/** A tool as assistants see it in the answer to `tools/list`. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  annotations: Record<string, boolean>;
}

/**
 * The tools of the assistants, from what their actions say of themselves. docs/guides/assistants.md#tools
 * @throws Error for a tool whose action is not there
 */
export function listedTools(actions: Map<string, ActionText>): { tools: ListedTool[] } {
  return {
    tools: tools.map((tool) => {
      const action = actions.get(tool.action);
      if (!action?.summary || !action.params) throw new Error(`The tool ${tool.name} has no action ${tool.action}`);
      // A search is the list of its resource, with filters in a body.
      const list = tool.action.endsWith(".search") ? actions.get(tool.action.replace("search", "list")) : undefined;
      return listedTool(tool, action.summary, { ...action, ...(list && { description: list.description }) });
    }),
  };
}

function listedTool(tool: Tool, summary: string, { description, params }: ActionText): ListedTool {
  const about = [`${summary}.`, description, tool.advice].filter((part) => part !== undefined);
  return {
    name: tool.name,
    title: summary,
    description: about.join(" "),
    inputSchema: inputSchema(tool, params as ParamsSchema),
    annotations: annotationsOf(tool),
  };
}

/** An update writes the same again, so doing it twice is doing it once. docs/guides/assistants.md#tools */
const IDEMPOTENT = /[.](update|batchUpdate|setDone)$/;
const ADDS_ONLY = /[.](create|batchCreate)$/;

function annotationsOf(tool: Tool): Record<string, boolean> {
  const readOnlyHint = !isWrite(tool);
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && !ADDS_ONLY.test(tool.action),
    idempotentHint: readOnlyHint || IDEMPOTENT.test(tool.action),
    openWorldHint: false,
  };
}

/**
 * The schema of what a tool takes, without references, and without a choice at its top: several models take neither. What it
 * lets pass and should not, the action refuses.
 */
function inputSchema(tool: Tool, params: ParamsSchema): Schema {
  const schema = argumentSchema(params, isWrite(tool)) as TSchema;
  const schemas = createSchemas([schema]);
  const translated = schemas.translate(schema, "request", "");
  const {
    oneOf,
    anyOf,
    description: _,
    ...whole
  } = portable(withoutReferences(translated, schemas.components())) as Schema;
  const merged =
    Array.isArray(oneOf) && (oneOf as Schema[]).every(isObject) ? oneOfForms(oneOf as ObjectSchema[]) : whole;
  const result = { ...merged, ...requiredOf(schema, merged as unknown as ObjectSchema) } as unknown as ObjectSchema;
  const { filter } = result.properties;
  if (filter)
    filter.description = `${FILTER_FORM}
${toolFilterText(tool.action, filteredFieldsOf(params))}`;
  return result as unknown as Schema;
}

const FILTER_FORM = 'field → operator → value, { "createdAt": { "gt": "2026-03-31" } } for example.';

/** The filters of a plain list, which its params tell. */
function filteredFieldsOf({ properties }: ParamsSchema): FilteredFields | undefined {
  return (properties.filter as TSchema | undefined)?.filteredFields;
}

interface ObjectSchema {
  type: "object";
  properties: Record<string, Schema>;
  required: string[];
}

function isObject(schema: Schema): boolean {
  return schema.type === "object";
}

/** Of a deprecated member and the one in its place a request has either. An assistant is told to send the latter. */
function requiredOf({ eitherMember }: TSchema, { required }: ObjectSchema): { required: string[] } {
  const [, current] = (eitherMember ?? []) as string[];
  return { required: current === undefined ? required : [...required, current] };
}

/** One object in the place of several forms of it: its members are those of all forms, and required is what all forms require. */
function oneOfForms(forms: ObjectSchema[]): Schema {
  const names = [...new Set(forms.flatMap(({ properties }) => Object.keys(properties)))];
  const properties = Object.fromEntries(
    names.map((name) => [name, either(forms.flatMap(({ properties: { [name]: one } }) => (one ? [one] : [])))]),
  );
  const required = names.filter((name) => forms.every((form) => form.required.includes(name)));
  return { type: "object", additionalProperties: false, properties, required };
}

function either(schemas: Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = different;
  if (different.length < 2) return first;
  if (different.every(({ enum: values }) => Array.isArray(values)))
    return { ...first, enum: different.flatMap(({ enum: values }) => values as unknown[]) };
  return { anyOf: different };
}

function withoutReferences(value: unknown, components: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, components));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  if (typeof $ref === "string") {
    const found = components[$ref.slice("#/components/schemas/".length)];
    return withoutReferences({ ...found, ...rest }, components);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutReferences(one, components)]));
}

const OF_TEXTS = ["minLength", "maxLength", "pattern", "format"];
const OF_NUMBERS = ["minimum", "maximum", "multipleOf"];

/**
 * The schema with a choice of schemas in the place of each list of types: some models know only one type for a value, and would
 * not be offered the tool.
 */
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== "object" || value === null) return value;
  const { type, ...others } = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name === "oneOf" && isNullable(one) ? "anyOf" : name, portable(one)]),
  );
  if (!Array.isArray(type)) return type === undefined ? others : { ...others, type };
  const rules = [...OF_TEXTS, ...OF_NUMBERS, "enum"];
  const about = Object.fromEntries(Object.entries(others).filter(([name]) => !rules.includes(name)));
  return { ...about, anyOf: type.map((one: string) => ({ type: one, ...rulesOf(one, others) })) };
}

/** Whether these are the two schemas of something that can be null. */
function isNullable(schemas: unknown): boolean {
  return Array.isArray(schemas) && schemas.some((one: Schema) => one.type === "null");
}

/** Those of the rules that values of a type can break. Words of which a value must be one are texts here. */
function rulesOf(type: string, rules: Schema): Schema {
  const names = type === "string" ? OF_TEXTS : ["number", "integer"].includes(type) ? OF_NUMBERS : [];
  const own = Object.fromEntries(Object.entries(rules).filter(([name]) => names.includes(name)));
  const words = Array.isArray(rules.enum) && type === "string" ? rules.enum.filter((word) => word !== null) : [];
  return words.length === 0 ? own : { ...own, enum: words };
}
