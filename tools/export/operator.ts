import type { Caller } from "../../base/contract/caller.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Catalog } from "../../model/definitions/catalog.ts";

/** Stands for the admin of the server, who is no user and sees all groups. No user has this uuid. */
const OPERATOR = "ffffffff-ffff-ffff-ffff-ffffffffffff" as Uuid;

/** A catalog as the operator sees it, and the caller who sees so. Nothing is written in this caller's name. */
export function operatorViewer(catalog: Catalog): { catalog: Catalog; caller: Caller } {
  const groups = [...catalog.groups].map(
    ([uuid, group]) =>
      [uuid, { ...group, members: new Map([...group.members, [OPERATOR, "reader" as const]]) }] as const,
  );
  return {
    catalog: { ...catalog, groups: new Map(groups) },
    caller: { workspaceId: catalog.workspaceId, userId: OPERATOR, keyId: null, access: "read" },
  };
}
