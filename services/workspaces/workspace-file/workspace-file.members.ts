import { custom, type Issue } from "../../../base/contract/issues.ts";
import { comparableEmail } from "../../../base/values/text.ts";
import type { Write } from "../../../database/query.ts";
import { removeRoles, setRoles } from "../../../engine/definitions/members.queries.ts";
import type { Definitions, Group } from "../../../model/definitions/definitions.ts";
import type { WantedGroup } from "./workspace-file.wanted.ts";

/**
 * Gives a group the members that a file names, and with `prune` no others. Gives the issues, and writes nothing when
 * there are any: users that the workspace does not have, a private group without an admin.
 * docs/guides/access.md#the-last-admin
 */
export async function applyMembers(
  write: Write,
  definitions: Definitions,
  group: Group,
  wanted: WantedGroup,
  prune: boolean,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  const roles = new Map(prune ? [] : group.members);
  for (const [i, { user, role }] of wanted.members.entries()) {
    const known = definitions.usersByEmail.get(comparableEmail(user));
    if (known) roles.set(known.uuid, role);
    else
      issues.push(
        custom(
          [...wanted.at, "members", i, "user"],
          `There is no user "${user.slice(0, 100)}". Name them under "users" too`,
        ),
      );
  }
  if (wanted.visibility === "private" && ![...roles.values()].includes("admin")) {
    issues.push(
      custom([...wanted.at, "members"], `The private group "${wanted.name}" needs a member with the role admin`),
    );
  }
  if (issues.length > 0) return issues;
  const changed = [...roles].filter(([uuid, role]) => group.members.get(uuid) !== role);
  await setRoles(
    write,
    definitions.workspaceId,
    group.uuid,
    changed.map(([uuid, role]) => ({ uuid, role })),
  );
  const removed = [...group.members.keys()].filter((uuid) => !roles.has(uuid));
  await removeRoles(write, definitions.workspaceId, group.uuid, removed);
  return [];
}
