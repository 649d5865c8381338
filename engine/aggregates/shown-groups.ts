import { type RecordKind, toId, type Uuid } from "../../base/values/ids.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { presentUser, shownUser } from "../../model/definitions/users.ts";
import type { Seen } from "../filters/known-fields.ts";
import type { NamedRecord, RecordNames } from "../records/names.ts";
import type { Dimension } from "./dimension.ts";

/** A value of a group as it is stored; null for records without one. */
type Stored = string | null;

/** The kinds of records that the values of a dimension may name; none if they name no records. */
export function kindsNamed(dimension: Dimension): RecordKind[] {
  if (dimension.shape === "links") return [dimension.links.target];
  if (dimension.shape !== "custom") return [];
  const { refersTo } = customFieldTypes[dimension.definition.type];
  if (refersTo === undefined) return [];
  return refersTo === "object" ? ["object"] : ["person", "company"];
}

/** A value of a group as answers show it. docs/guides/aggregates.md#groups */
export function shownValue(seen: Seen, dimension: Dimension, value: Stored, names: RecordNames): unknown {
  if (value === null) return null;
  switch (dimension.shape) {
    case "text":
    case "number":
    case "date":
      return value;
    case "createdBy": {
      const user = seen.definitions.users.get(value as Uuid);
      return user ? presentUser(user) : null;
    }
    case "groups": {
      const group = seen.definitions.groups.get(value as Uuid);
      return group ? { id: group.id, name: group.name } : null;
    }
    case "links": {
      const { target, label } = dimension.links;
      const id = toId(target, value as Uuid);
      return { id, [label]: names.get(id)?.fullName ?? "" };
    }
    case "custom":
      return shownCustomValue(seen, dimension, value, names);
    default:
      return dimension satisfies never;
  }
}

function shownCustomValue(
  { definitions }: Seen,
  { definition }: Extract<Dimension, { shape: "custom" }>,
  value: string,
  names: RecordNames,
): unknown {
  const { present, filter } = customFieldTypes[definition.type];
  const isList = filter === "MULTIREF";
  const record = named(names, value);
  const stored = record?.id ?? value;
  const shown = present((isList ? [stored] : stored) as never, definition, {
    user: (uuid) => shownUser(definitions, uuid),
    record: () => record,
  });
  return isList && Array.isArray(shown) ? shown[0] : shown;
}

/** The record with this uuid, whatever its kind is. */
function named(names: RecordNames, uuid: string): NamedRecord | undefined {
  return names.get(`per_${uuid}`) ?? names.get(`com_${uuid}`) ?? names.get(`obj_${uuid}`);
}
