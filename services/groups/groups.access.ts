import type { Caller } from "../../lib/caller.ts";
import { type Catalog, type Group, type Role, roleIn, suffices, visibleGroup } from "../../lib/catalog.ts";
import { ApiError, notFound, unprocessable } from "../../lib/errors.ts";
import { custom, type Path } from "../../lib/issues.ts";

/** The group of a path, 404 when the caller cannot see it. */
export function groupOf(catalog: Catalog, caller: Caller, groupId: string): Group {
  const group = visibleGroup(catalog, caller, groupId);
  if (!group) throw notFound("group", groupId);
  return group;
}

/** 403 when the caller is no admin of the group. */
export function needAdmin(group: Group, caller: Caller): void {
  const role = roleIn(group, caller.userId);
  if (!suffices(role, "admin")) throw new ApiError("FORBIDDEN", `Your role in the group "${group.name}" is ${role}; this needs admin.`);
}

/** 422 when the group is private and this would leave it without an admin. gaps 3. */
export function keepAnAdmin(group: Group, userUuid: string, roleAfter: Role | null, at: Path): void {
  if (group.visibility === "public" || roleAfter === "admin" || group.members.get(userUuid) !== "admin") return;
  const others = [...group.members].some(([uuid, role]) => uuid !== userUuid && role === "admin");
  if (!others) throw unprocessable([custom(at, "The last admin of a private group can be neither removed nor demoted. Make another member admin first")]);
}
