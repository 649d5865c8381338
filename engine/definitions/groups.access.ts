import type { Caller } from "../../base/contract/caller.ts";
import { notFound, unprocessable } from "../../base/contract/errors.ts";
import { custom, type Path } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Definitions, Group, Role } from "../../model/definitions/definitions.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";

/**
 * The group of a path.
 * @throws ApiError 404 when the caller cannot see it
 */
export function groupOf(definitions: Definitions, caller: Caller, groupId: string): Group {
  const group = visibleGroup(definitions, caller, groupId);
  if (!group) throw notFound("group", groupId);
  return group;
}

/**
 * Makes sure that a private group keeps an admin when a user gets another role, or none.
 * docs/guides/access.md#the-last-admin
 * @param at where the issue stands
 * @throws ApiError 422 when the group would be left without an admin
 */
export function keepAnAdmin(group: Group, userUuid: Uuid, roleAfter: Role | null, at: Path): void {
  if (group.visibility === "public" || roleAfter === "admin" || group.members.get(userUuid) !== "admin") return;
  const others = [...group.members].some(([uuid, role]) => uuid !== userUuid && role === "admin");
  if (!others)
    throw unprocessable([
      custom(
        at,
        `The last admin of the private group "${group.name}" can be neither removed nor demoted. Make another member admin first`,
      ),
    ]);
}
