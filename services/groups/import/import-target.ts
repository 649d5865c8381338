import { GROUP_NAME_LENGTH_MAX } from "../../../config/limits.ts";
import type { Catalog, Group, User } from "../../../lib/catalog/catalog.ts";
import { refuseRole } from "../../../lib/catalog/roles.ts";
import { findUser } from "../../../lib/catalog/users.ts";
import type { Caller } from "../../../lib/contract/caller.ts";
import { ApiError, unprocessable } from "../../../lib/contract/errors.ts";
import { custom } from "../../../lib/contract/issues.ts";
import type { CustomFieldTypeName } from "../../../lib/custom-fields/type.ts";
import { canEqual, comparable } from "../../../lib/values/text.ts";

/** Where an import writes, and on whose behalf. */
export interface ImportTarget {
  caller: Caller;
  group: { id: string; name: string };
  fields: { name: string; type: CustomFieldTypeName; labels: string[] }[];
}

interface Asked {
  group: string;
  kind: "person" | "company";
  user?: string;
  /** Whether fields may have to be made, which needs the role admin. */
  definesFields?: boolean;
}

/** Finds the group by name or id, and the user: the one asked for, else the first who may, admins of the workspace first. */
export function importTarget(
  catalog: Catalog,
  { group: asked, kind, user, definesFields = false }: Asked,
): ImportTarget {
  const group = groupNamed(catalog, asked);
  const caller = callerFor(catalog, group, user, definesFields ? "admin" : "contributor");
  const fields = (group.fields.get(kind) ?? []).map(({ name, type, options }) => ({
    name,
    type,
    labels: options.map(({ label }) => label),
  }));
  return { caller, group: { id: group.id, name: group.name }, fields };
}

function groupNamed({ groups }: Catalog, asked: string): Group {
  const all = [...groups.values()];
  const wanted = asked.trim();
  const key = canEqual(wanted, GROUP_NAME_LENGTH_MAX) ? comparable(wanted) : undefined;
  const found = all.filter(({ id, name }) => id === asked || comparable(name) === key);
  const [group] = found;
  if (group && found.length === 1) return group;
  if (group)
    throw new ApiError(
      "RESOURCE_NOT_FOUND",
      `${found.length} groups are named "${asked}". Give the id of one: ${found.map(({ id }) => id).join(", ")}.`,
    );
  const names = all.map(({ name }) => `"${name}"`).join(", ");
  throw new ApiError(
    "RESOURCE_NOT_FOUND",
    `There is no group "${asked}". ${names ? `There are: ${names}` : "The workspace has none"}.`,
  );
}

function callerFor(catalog: Catalog, group: Group, email: string | undefined, needed: "admin" | "contributor"): Caller {
  const as = (user: User): Caller => ({
    workspaceId: catalog.workspaceId,
    userId: user.uuid,
    keyId: null,
    access: "full",
  });
  if (email !== undefined) {
    const user = findUser(catalog, { email });
    if (!user) throw unprocessable([custom(["user"], `The workspace has no user with the e-mail address ${email}`)]);
    const refusal = refuseRole(group, as(user), needed);
    if (refusal !== null) throw new ApiError("FORBIDDEN", `${email} may not import there. ${refusal}`);
    return as(user);
  }
  const users = [...catalog.users.values()].filter((user) => !user.removed);
  const inOrder = [...users.filter(({ role }) => role === "admin"), ...users.filter(({ role }) => role !== "admin")];
  const user = inOrder.find((candidate) => refuseRole(group, as(candidate), needed) === null);
  if (!user)
    throw new ApiError("FORBIDDEN", `No user of the workspace has the role ${needed} in the group "${group.name}".`);
  return as(user);
}
