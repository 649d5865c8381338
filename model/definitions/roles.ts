import type { Caller } from "../../base/contract/caller.ts";
import { ApiError } from "../../base/contract/errors.ts";
import { byId, type Uuid } from "../../base/values/ids.ts";
import type { Definitions, Group, Role } from "./definitions.ts";

/** Each role may do everything that the role before it may. docs/guides/access.md#roles */
export const ROLES: readonly Role[] = ["reader", "contributor", "admin"];

/** The role of a user in a group; null when the group does not exist for them. docs/guides/access.md#groups */
export function roleIn(group: Group, userUuid: Uuid): Role | null {
  const role = group.members.get(userUuid);
  if (role) return role;
  return group.visibility === "public" ? "admin" : null;
}

/** Whether a role may do what `needed` may. docs/guides/access.md#roles */
function suffices(role: Role | null, needed: Role): boolean {
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * Refuses a caller whose role in a group is too low.
 * @throws ApiError 403 that names the group, the role and the one that is needed
 */
export function needRole(group: Group, caller: Caller, needed: Role): void {
  const refusal = refuseRole(group, caller, needed);
  if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
}

/**
 * Why a caller's role in a group is too low, as the message of a 403; null when it suffices.
 * docs/guides/access.md#roles
 */
export function refuseRole(group: Group, caller: Caller, needed: Role): string | null {
  const role = roleIn(group, caller.userId);
  return suffices(role, needed) ? null : `Your role in the group "${group.name}" is ${role}; this needs ${needed}.`;
}

/** The group with this id; undefined when there is none, or the caller cannot see it. */
export function visibleGroup(definitions: Definitions, caller: Caller, id: string): Group | undefined {
  const group = byId(definitions.groups, "group", id);
  return group && roleIn(group, caller.userId) ? group : undefined;
}

/** The groups that the caller can see, in the order of their creation. */
export function visibleGroups(definitions: Definitions, caller: Caller): Group[] {
  return [...definitions.groups.values()].filter((group) => roleIn(group, caller.userId) !== null);
}
