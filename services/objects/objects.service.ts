import type { ServiceSchema } from "moleculer";
import { batchActions } from "../../actions/batch-actions.ts";
import { mergeAction } from "../../actions/merge-action.ts";
import { recordActions } from "../../actions/record-actions.ts";
import type { Records, Scoping } from "../../actions/records.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { OBJECT_TYPE_LENGTH_MAX } from "../../config/limits.ts";
import type { Group } from "../../lib/catalog/catalog.ts";
import { visibleGroup } from "../../lib/catalog/roles.ts";
import { ApiError, notFound, unsaved } from "../../lib/contract/errors.ts";
import { idSchema, Type } from "../../lib/contract/schema.ts";
import { objects } from "../../lib/resources/objects.ts";
import { storeOf } from "../../lib/store/store.ts";
import type { Uuid } from "../../lib/values/ids.ts";
import { comparable } from "../../lib/values/text.ts";

/** The objects of groups, which are of the types that these define. docs/guides/objects.md */
export default function objectsService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: objects, store: storeOf(context.database, "objects"), scoping: byGroupAndType };
  const { publicUrl } = context.env;
  return {
    name: "objects",
    actions: { ...recordActions(records), ...batchActions(records, { publicUrl }), merge: mergeAction(records) },
  };
}

/**
 * The group and the object type of the path. It is 404 for a group that the caller cannot see, and for a type that it does
 * not have.
 */
const byGroupAndType: Scoping = {
  path: {
    groupId: idSchema("group"),
    objectType: Type.String({
      maxLength: OBJECT_TYPE_LENGTH_MAX,
      description: "Name of an object type, as it is written",
    }),
  },
  resolve({ groupId = "", objectType = "" }, catalog, caller) {
    const home = visibleGroup(catalog, caller, groupId);
    if (!home) throw notFound("group", groupId);
    return { entity: typeOf(home, objectType), home };
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
