import { ApiError, notFound, unsaved } from "../base/contract/errors.ts";
import { idSchema, Type } from "../base/contract/schema.ts";
import type { Uuid } from "../base/values/ids.ts";
import { comparable } from "../base/values/text.ts";
import { OBJECT_TYPE_LENGTH_MAX } from "../config/limits.ts";
import type { Group } from "../model/definitions/definitions.ts";
import { visibleGroup } from "../model/definitions/roles.ts";
import type { Scoping } from "./records.ts";

/**
 * The group and the object type of the path. It is 404 for a group that the caller cannot see, and for a type that it
 * does not have.
 */
export const byGroupAndType: Scoping = {
  path: {
    groupId: idSchema("group"),
    objectType: Type.String({
      maxLength: OBJECT_TYPE_LENGTH_MAX,
      description: "Name of an object type, as it is written",
    }),
  },
  resolve({ groupId = "", objectType = "" }, definitions, caller) {
    const home = visibleGroup(definitions, caller, groupId);
    if (!home) throw notFound("group", groupId);
    return { entity: typeOf(home, objectType), homeGroup: home };
  },
};

/**
 * The uuid of an object type of a group. docs/guides/objects.md#types-and-groups
 * @throws ApiError 404 that lists the types of the group
 */
function typeOf(group: Group, name: string): Uuid {
  const key = comparable(name);
  const type = group.objectTypes.find((one) => comparable(one.name) === key);
  if (type) return type.uuid;
  const available = group.objectTypes.map((one) => `"${one.name}"`).join(", ");
  throw unsaved(
    new ApiError(
      "RESOURCE_NOT_FOUND",
      `The group has no object type "${name}". Available object types are: ${available}`,
    ),
  );
}
