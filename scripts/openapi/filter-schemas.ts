import type { TSchema } from "../../base/contract/schema.ts";
import { FILTER_VALUES_MAX } from "../../config/limits.ts";
import { OPERATORS, TAKES_MANY } from "../../engine/filters/kinds.ts";
import type { FilteredFields } from "../../engine/filters/row-filters.ts";
import type { FilterKind } from "../../model/fields/field.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schemas.ts";

/** Service → the resource whose fields its filters name. */
const RESOURCES: Record<string, RecordType> = { people, companies, objects };

/** Form of the values of a field. docs/guides/filters.md#references */
type NamedBy = "value" | "id" | "user";

/** The resource whose fields the filters of an operation name; undefined where they are no fields of a record. */
export function filteredResource({ route }: { route: Pick<Operation["route"], "action"> }): RecordType | undefined {
  return RESOURCES[route.action.split(".")[0] ?? ""];
}

/** A reference to the schema of the filters of an operation: field → operator → value. */
export function filterReference({ tag }: Operation): Schema {
  return component(`${tag.one}Filter`);
}

/** The schema of a body in its operation: the schema of a search has the filters of its kind of record. */
export function ownBody(operation: Operation, body: TSchema): TSchema {
  if (!body.properties?.filter) return body;
  const properties = { ...body.properties, filter: { filterOf: operation.tag.one } };
  return { ...body, title: `${operation.tag.one}${body.title}`, properties };
}

/** The schemas of all filters, and of the conditions in them. docs/guides/filters.md#operators */
export function filterSchemas(operations: Operation[]): Record<string, Schema> {
  const filtered = operations.filter(({ params }) => params.filter !== undefined);
  return {
    TextCondition: condition("TEXT", "value"),
    NumberCondition: condition("NUMBER", "value"),
    DateCondition: condition("DATE", "value"),
    ReferenceCondition: condition("MULTIREF", "id"),
    UserCondition: condition("CREATOR", "user"),
    CustomFieldCondition: customFieldCondition(),
    UserIds: idsOperand(["id", "email"]),
    RecordIds: { ...idsOperand(["id"]), required: ["id"] },
    ...Object.fromEntries(filtered.flatMap(ownConditions)),
    ...Object.fromEntries(filtered.map((operation) => [`${operation.tag.one}Filter`, filterSchema(operation)])),
  };
}

function filterSchema(operation: Operation): Schema {
  const resource = filteredResource(operation);
  if (!resource) {
    const names = Object.keys(rowsOf(operation));
    const properties = Object.fromEntries(names.map((name) => [name, component(ownName(operation, name))]));
    return { type: "object", additionalProperties: false, properties };
  }
  const kinds = Object.entries(resource.fields).flatMap(([name, { filter }]): [string, FilterKind][] =>
    filter ? [[name, filter]] : [],
  );
  const properties = {
    ...Object.fromEntries(kinds.map(([name, kind]) => [name, component(SHARED[kind] ?? ownName(operation, name))])),
    ...mapped(resource.activityFilters ?? {}, () => component("DateCondition")),
  };
  // A pattern of names with a schema of its own (patternProperties) would say the same, and orval leaves it out of its
  // types.
  return {
    type: "object",
    properties,
    propertyNames: { anyOf: [{ enum: Object.keys(properties) }, { pattern: "^customFieldValues[.]" }] },
    additionalProperties: component("CustomFieldCondition"),
  };
}

/** The conditions of one field only: those of a choice, which has words of its own, and those of plain resources. */
function ownConditions(operation: Operation): [name: string, Schema][] {
  const rows = Object.entries(rowsOf(operation)).map(([name, row]): [string, Schema] => [
    ownName(operation, name),
    condition(row.kind, "value", row),
  ]);
  const choices = Object.entries(filteredResource(operation)?.fields ?? {}).flatMap(
    ([name, { filter, options }]): [string, Schema][] =>
      filter && !SHARED[filter]
        ? [[ownName(operation, name), condition(filter, "value", { ...(options && { options }) })]]
        : [],
  );
  return [...rows, ...choices];
}

/** TaskDueAtCondition */
function ownName({ tag }: Operation, field: string): string {
  return `${tag.one}${field[0]?.toUpperCase()}${field.slice(1)}Condition`;
}

function rowsOf(operation: Operation): FilteredFields {
  return (operation.params.filter?.filteredFields ?? {}) as FilteredFields;
}

/** Kind → the component that describes its conditions; a choice has words of its own in each field. */
const SHARED: Partial<Record<FilterKind, string>> = {
  TEXT: "TextCondition",
  NUMBER: "NumberCondition",
  DATE: "DateCondition",
  DAY: "DateCondition",
  MULTIREF: "ReferenceCondition",
  CREATOR: "UserCondition",
};

function condition(
  kind: FilterKind,
  by: NamedBy,
  { operators = OPERATORS[kind], options }: { operators?: readonly string[]; options?: readonly string[] } = {},
): Schema {
  const value = options ? { type: "string", enum: options } : VALUES[kind];
  const properties = operators.map((operator) => [operator, operand(operator, value, by)]);
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** Which operators and values a custom field has depends on its type. docs/guides/filters.md#custom-fields */
function customFieldCondition(): Schema {
  const operators = [...new Set(Object.values(OPERATORS).flat())];
  const value = { type: ["string", "number"] };
  const properties = operators.map((operator) => {
    const plain = operand(operator, value, "value");
    return [operator, TAKES_MANY.includes(operator) ? { anyOf: [plain, operand(operator, value, "user")] } : plain];
  });
  return {
    type: "object",
    description: "Which operators and values there are depends on the type of the field",
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Kind → one plain value. */
const VALUES: Record<FilterKind, Schema> = {
  TEXT: { type: "string" },
  NUMBER: { type: ["string", "number"], description: "A number, or a text with its digits" },
  DATE: { type: "string", format: "date" },
  DAY: { type: "string", format: "date" },
  TIME: { type: "string", description: "A timestamp, or a date" },
  MULTIREF: { type: "string" },
  SELECT: { type: "string" },
  CREATOR: { type: "string" },
  CHOICE: { type: "string" },
};

/** Schema of the value behind an operator. docs/guides/filters.md#search */
function operand(operator: string, value: Schema, by: NamedBy): Schema {
  if (operator.endsWith("empty")) return { type: "boolean", const: true };
  const many = TAKES_MANY.includes(operator) ? oneOrMany(value) : value;
  if (by === "value") return many;
  return component(by === "user" ? "UserIds" : "RecordIds");
}

function idsOperand(names: string[]): Schema {
  const properties = Object.fromEntries(names.map((name) => [name, oneOrMany({ type: "string" })]));
  return { type: "object", additionalProperties: false, properties };
}

function oneOrMany(value: Schema): Schema {
  return { anyOf: [value, { type: "array", items: value, minItems: 1, maxItems: FILTER_VALUES_MAX }] };
}

function component(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function mapped<Value>(table: Record<string, Value>, make: (value: Value) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));
}
