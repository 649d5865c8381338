import type { Caller } from "../../base/contract/caller.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";
import type { Field } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { PREFIX } from "./fields.ts";

/** Records as a caller sees them, whose fields a request names. */
export interface Seen {
  resource: RecordType;
  scope: Scope;
  definitions: Definitions;
  caller: Caller;
}

/** The fields that serve for something, such as for filters. */
export interface Serving {
  native(field: Field): boolean;
  /** Names that stand for a part of a field. */
  parts: readonly string[];
  custom(definition: FieldDefinition): boolean;
}

/**
 * Maximum number of names in a message. A group may have hundreds of fields; a mistyped one is near the first, or in
 * the list of fields.
 */
const NAMES_MAX = 20;

/**
 * The fields that a client can use instead of an unknown one: the fields of the records, or the custom fields of the
 * named group that the caller can see. A sentence for people. docs/guides/filters.md#unknown-fields-and-operators
 */
export function knownFields(
  { resource, scope, definitions, caller }: Seen,
  unknown: string,
  { native, parts, custom }: Serving,
): string {
  if (unknown.startsWith(PREFIX)) {
    const groupId = unknown.slice(PREFIX.length).split(".", 1)[0] ?? "";
    const group = scope.homeGroup ?? visibleGroup(definitions, caller, groupId);
    if (!group)
      return `The name of a custom field is ${PREFIX}<group id>.<field name>, with the id of a group that you can see`;
    const fields = group.fields.get(scope.entity) ?? [];
    if (fields.length === 0) return "The group has no custom fields";
    const names = fields.filter(custom).map(({ name }) => name.slice(0, 100));
    return names.length === 0 ? "The group has no custom field that serves" : `The group has: ${listed(names)}`;
  }
  const names = Object.entries(resource.fields).flatMap(([name, field]) => (native(field) ? [name] : []));
  const pattern = scope.homeGroup ? `${PREFIX}<field name>` : `${PREFIX}<group id>.<field name>`;
  return `There are: ${[...names, ...parts, pattern].join(", ")}`;
}

function listed(names: string[]): string {
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  return `${names.slice(0, NAMES_MAX).join(", ")}${more}`;
}
