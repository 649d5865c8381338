import { custom, type Issue } from "../../../base/contract/issues.ts";
import { type Static, Type, userReference, userSchema } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Catalog } from "../../../model/definitions/catalog.ts";
import { findUser } from "../../../model/definitions/users.ts";
import type { Field } from "../../../model/fields/field.ts";

/** docs/guides/tasks.md#assignees */
const ASSIGNED_MAX = 50;

type References = Static<ReturnType<typeof userReference>>[];

/** Users who are to do a task, or to be reminded. Those who were removed are not shown. docs/guides/tasks.md#assignees */
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

/**
 * The uuids of the users that a write names in `assignedUsers`, each once, in the order of their first places; undefined when
 * nothing was sent.
 * @param issues takes those who are not there
 */
export function assigneesOf(catalog: Catalog, sent: unknown, issues: Issue[]): Uuid[] | undefined {
  if (sent === undefined) return undefined;
  // The schema of the body has judged the form.
  const found = (sent as References).flatMap((reference, i) => {
    const user = findUser(catalog, reference);
    if (user) return [user.uuid];
    const [by, value] = reference.id === undefined ? ["email", reference.email] : ["id", reference.id];
    issues.push(custom(["assignedUsers", i, by], `There is no user with the ${by} ${String(value).slice(0, 100)}`));
    return [];
  });
  return [...new Set(found)];
}

/** Whether two lists of users are the same, in the same order. */
export function isSameList(one: Uuid[], other: Uuid[]): boolean {
  return one.length === other.length && one.every((uuid, i) => uuid === other[i]);
}
