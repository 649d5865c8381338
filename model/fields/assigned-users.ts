import { Type, userReference, userSchema } from "../../base/contract/schema.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Field } from "./field.ts";

/** docs/guides/tasks.md#assignees */
const ASSIGNED_MAX = 50;

/**
 * Users who are to do a task, or to be reminded. Those who were removed are not shown. docs/guides/tasks.md#assignees
 */
export function assignedUsers({ min }: { min: 0 | 1 }): Field {
  return {
    read: Type.Array(userSchema),
    write: Type.Array(userReference(), { ...(min > 0 && { minItems: min }), maxItems: ASSIGNED_MAX }),
    filter: null,
    storage: {
      shape: "composed",
      reads: { assignedUserIds: "t.assigned_user_ids" },
      present: ({ assignedUserIds }, view) =>
        (assignedUserIds as Uuid[]).flatMap((uuid) => {
          const user = view.user(uuid);
          return user && !user.removed ? [{ id: user.id, fullName: user.fullName, email: user.email }] : [];
        }),
    },
  };
}
