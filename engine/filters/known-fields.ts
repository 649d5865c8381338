import type { Caller } from "../../base/contract/caller.ts";
import type { Catalog } from "../../model/definitions/catalog.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { PREFIX } from "./fields.ts";

/**
 * Maximum number of names in a message. A group may have hundreds of fields; a mistyped one is near the first, or in
 * the list of fields.
 */
const NAMES_MAX = 20;

/**
 * The fields that there are in the place of one that is not: those of the records, or the custom fields of the group that is named,
 * as far as the caller sees them. A sentence for people. docs/guides/filters.md#fields
 */
export function knownFields(
  resource: RecordType,
  scope: Scope,
  catalog: Catalog,
  caller: Caller,
  unknown: string,
): string {
  if (unknown.startsWith(PREFIX)) {
    const groupId = unknown.slice(PREFIX.length).split(".", 1)[0] ?? "";
    const group = scope.home ?? visibleGroup(catalog, caller, groupId);
    if (!group)
      return `The name of a custom field is ${PREFIX}<group id>.<field name>, with the id of a group of yours`;
    const names = (group.fields.get(scope.entity) ?? []).map(({ name }) => name.slice(0, 100));
    return names.length === 0 ? `The group has no custom fields` : `The group has: ${listed(names)}`;
  }
  const native = Object.entries(resource.fields).flatMap(([name, { filter }]) => (filter ? [name] : []));
  const custom = scope.home ? `${PREFIX}<field name>` : `${PREFIX}<group id>.<field name>`;
  return `There are: ${[...native, ...Object.keys(resource.activityFilters ?? {}), custom].join(", ")}`;
}

function listed(names: string[]): string {
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : "";
  return `${names.slice(0, NAMES_MAX).join(", ")}${more}`;
}
