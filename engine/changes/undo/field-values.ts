import { toId, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import type { FieldDefinition } from "../../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { StoredValue } from "../../../model/custom-fields/type.ts";
import type { Group } from "../../../model/definitions/definitions.ts";
import { shownUser } from "../../../model/definitions/users.ts";
import type { Changed } from "../../../model/log.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { WriteContext } from "../../records/draft.ts";
import { shownColumn } from "../../records/record-events.ts";
import type { RecordRow } from "../../records/select.ts";

/** The custom field that a change is about, and its group; undefined when one of them is gone. */
export function fieldOf(
  { definitions }: Pick<WriteContext, "definitions">,
  { field }: Changed,
): { group: Group; field: FieldDefinition } | undefined {
  if (field === undefined) return undefined;
  for (const group of definitions.groups.values()) {
    const found = group.fieldsByUuid.get(field);
    if (found) return { group, field: found };
  }
  return undefined;
}

/** The present value of a record at the place of a change, as in the log; undefined without such a place. */
export function presentValue(
  writing: Pick<WriteContext, "definitions">,
  resource: RecordType,
  row: RecordRow,
  change: Changed,
): unknown {
  const [name = ""] = change.path;
  if (name === "groups")
    return row.memberships.flatMap(({ groupId }) =>
      writing.definitions.groups.has(groupId) ? [{ id: toId("group", groupId) }] : [],
    );
  if (name === "customFieldValues") return customValue(writing, row, change);
  const link = resource.links.find((one) => one.name === name);
  if (link) return (row[name] as Uuid[]).map((uuid) => ({ id: toId(link.storage.target, uuid) }));
  const column = resource.columns.find((one) => one.name === name);
  return column && shownColumn(column.storage, row[name]);
}

function customValue({ definitions }: Pick<WriteContext, "definitions">, row: RecordRow, change: Changed): unknown {
  const found = fieldOf({ definitions }, change);
  if (!found) return undefined;
  const { group, field } = found;
  const stored = row.memberships.find(({ groupId }) => groupId === group.uuid)?.values[field.uuid];
  if (stored === undefined) return null;
  return customFieldTypes[field.type].present(stored as never, field, {
    user: (uuid) => shownUser(definitions, uuid),
    record: (id) => ({ id, fullName: "", entityType: "" }),
  });
}

/** The stored form of the value that a custom field had before a change; null for an unset one. */
export function storedBefore(
  { definitions }: Pick<WriteContext, "definitions">,
  field: FieldDefinition,
  { before, stored }: Changed,
): StoredValue | null {
  const type = customFieldTypes[field.type];
  if (type.hasOptions) return withOptions(field, stored?.[0] ?? null);
  if (before === null || before === undefined) return null;
  if (type.namedBy === "value") return before as StoredValue;
  const ids = (Array.isArray(before) ? before : [before]) as { id: string }[];
  const entries =
    type.namedBy === "user"
      ? ids
          .flatMap(({ id }) => uuidOf("user", id) ?? [])
          .filter((uuid) => definitions.users.get(uuid)?.removed === false)
      : ids.map(({ id }) => id);
  return entries.length > 0 ? entries : null;
}

/** A stored value with those options that the field still has. */
function withOptions(field: FieldDefinition, stored: StoredValue | null): StoredValue | null {
  if (!Array.isArray(stored)) return stored !== null && field.optionsByUuid.has(stored as Uuid) ? stored : null;
  const left = stored.filter((option) => field.optionsByUuid.has(option as Uuid));
  return left.length > 0 ? left : null;
}
