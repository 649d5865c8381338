import type { Uuid } from "../../base/values/ids.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Names, StoredValue } from "../../model/custom-fields/type.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { shownUser } from "../../model/definitions/users.ts";
import { type Membership, valueEntries } from "./select.ts";

/**
 * Those of the values of a membership that answers show. An option or a user that was removed stays in stored values
 * and is no longer shown; records that were deleted were taken out of them (remove.ts).
 * docs/guides/custom-fields.md#values-in-answers
 */
export function shownValues(
  definitions: Definitions,
  groupId: Uuid,
  values: Membership["values"],
): Membership["values"] {
  const fields = definitions.groups.get(groupId)?.fieldsByUuid;
  const names: Names = {
    user: (uuid) => shownUser(definitions, uuid),
    record: (id) => ({ id, fullName: "", entityType: "" }),
  };
  const isShown = ([fieldId, stored]: [Uuid, StoredValue]) => {
    const field = fields?.get(fieldId);
    return field !== undefined && customFieldTypes[field.type].present(stored as never, field, names) !== null;
  };
  return Object.fromEntries(valueEntries(values).filter(isShown));
}
