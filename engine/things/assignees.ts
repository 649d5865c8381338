import { custom, type Issue } from "../../base/contract/issues.ts";
import type { Static, userReference } from "../../base/contract/schema.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { findUser } from "../../model/definitions/users.ts";

type References = Static<ReturnType<typeof userReference>>[];

/**
 * The uuids of the users that a write names in `assignedUsers`, each once, in the order of their first places;
 * undefined when nothing was sent.
 * @param issues takes those who are not there
 */
export function assigneesOf(definitions: Definitions, sent: unknown, issues: Issue[]): Uuid[] | undefined {
  if (sent === undefined) return undefined;
  // The schema of the body has judged the form.
  const found = (sent as References).flatMap((reference, i) => {
    const user = findUser(definitions, reference);
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
