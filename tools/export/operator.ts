import type { Caller } from "../../base/contract/caller.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";

/** Stands for the admin of the server, which is not a user and sees all groups. No user has this uuid. */
const OPERATOR = "ffffffff-ffff-ffff-ffff-ffffffffffff" as Uuid;

/** Definitions as the operator sees them, and the caller who sees so. Nothing is written in this caller's name. */
export function operatorViewer(definitions: Definitions): { definitions: Definitions; caller: Caller } {
  const groups = [...definitions.groups].map(
    ([uuid, group]) =>
      [uuid, { ...group, members: new Map([...group.members, [OPERATOR, "reader" as const]]) }] as const,
  );
  return {
    definitions: { ...definitions, groups: new Map(groups) },
    caller: { workspaceId: definitions.workspaceId, userId: OPERATOR, keyId: null, access: "read" },
  };
}
