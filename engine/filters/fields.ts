import type { Caller } from "../../base/contract/caller.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { type Definitions, findField, type Group } from "../../model/definitions/definitions.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";
import type { FilterKind, LinksStorage, SqlType } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";

/** Place where filters find the values of a field. */
export type Source =
  | { shape: "text"; name: string }
  | { shape: "column"; column: string; type: SqlType }
  | { shape: "createdAt" }
  | { shape: "createdBy" }
  | { shape: "groups" }
  | { shape: "links"; links: LinksStorage }
  | { shape: "custom"; group: Group; definition: FieldDefinition }
  | { shape: "activity"; of: "anybody" | "caller" };

/** A field by which a caller may filter. */
export interface FilterField {
  name: string;
  kind: FilterKind;
  source: Source;
  /** Form of the values: plain, by id, or by id and e-mail address. */
  by: "value" | "id" | "user";
  /** The words of a choice, which are all that its filters take. */
  options?: readonly string[] | undefined;
}

export const PREFIX = "customFieldValues.";

/**
 * The field that a filter names; undefined for one that is not there, has no filters, or is not to be seen by the
 * caller.
 * docs/guides/filters.md#fields
 */
export function filterField(
  resource: RecordType,
  scope: Scope,
  definitions: Definitions,
  caller: Caller,
  name: string,
): FilterField | undefined {
  const native = Object.hasOwn(resource.fields, name) ? nativeField(resource, name) : undefined;
  if (native) return native;
  const { activityFilters = {} } = resource;
  const of = Object.hasOwn(activityFilters, name) ? activityFilters[name] : undefined;
  if (of) return { name, kind: "DAY", source: { shape: "activity", of }, by: "value" };
  return customField(scope, definitions, caller, name);
}

/** The names of those times of a last contact that are the same for all users, of those that filters know. */
export function sharedActivity({ activityFilters = {} }: RecordType): string[] {
  return Object.entries(activityFilters).flatMap(([name, of]) => (of === "anybody" ? [name] : []));
}

function nativeField(resource: RecordType, name: string): FilterField | undefined {
  const field = resource.fields[name];
  if (!field?.filter) return undefined;
  const { filter: kind, storage } = field;
  switch (storage.shape) {
    case "column": {
      const text = kind === "TEXT" || kind === "CHOICE";
      return {
        name,
        kind,
        by: "value",
        options: field.options,
        source: text ? { shape: "text", name } : { shape: "column", column: storage.column, type: storage.type },
      };
    }
    case "links":
      return { name, kind, by: "id", source: { shape: "links", links: storage } };
    case "groups":
      return { name, kind, by: "id", source: { shape: "groups" } };
    case "createdAt":
      return { name, kind, by: "value", source: { shape: "createdAt" } };
    case "createdBy":
      return { name, kind, by: "user", source: { shape: "createdBy" } };
    case "id":
    case "values":
    case "interactions":
    case "connections":
    case "entity":
    case "composed":
      return undefined;
    default:
      return storage satisfies never;
  }
}

/**
 * The custom field `customFieldValues.<group id>.<name>`, of objects `customFieldValues.<name>`. The name is all that
 * follows, dots included. docs/guides/filters.md#custom-fields
 */
function customField(scope: Scope, definitions: Definitions, caller: Caller, name: string): FilterField | undefined {
  const found = customDefinition(scope, definitions, caller, name);
  if (!found) return undefined;
  const { filter: kind, namedBy } = customFieldTypes[found.definition.type];
  return { name, kind, by: namedBy, source: { shape: "custom", ...found } };
}

/**
 * The definition that such a name means, with its group; undefined for one that is not there, or not to be seen by the
 * caller.
 */
export function customDefinition(
  scope: Scope,
  definitions: Definitions,
  caller: Caller,
  name: string,
): { group: Group; definition: FieldDefinition } | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const rest = name.slice(PREFIX.length);
  const at = scope.homeGroup ? -1 : rest.indexOf(".");
  const group = scope.homeGroup ?? visibleGroup(definitions, caller, rest.slice(0, Math.max(at, 0)));
  const definition = group && findField(group, scope.entity, rest.slice(at + 1));
  return definition && { group, definition };
}
