import { type RecordKind, uuidOf } from "../../base/values/ids.ts";
import { roleIn } from "../../model/definitions/roles.ts";
import type { Entity } from "../../model/resources/entity.ts";
import type { WriteContext } from "./draft.ts";
import { lockByIds } from "./found.ts";

/**
 * The record that an id in a body names, of a merged one its survivor; undefined for an id of another kind, and for a
 * record that is not there or that the caller does not see. Until the transaction ends it can be neither deleted nor
 * merged, so whatever is written about it meanwhile is there when it goes. docs/guides/notes.md#entities
 */
export async function lockEntity(
  writing: WriteContext,
  id: string,
  kinds: readonly RecordKind[],
): Promise<Entity | undefined> {
  const kind = kinds.find((one) => uuidOf(one, id) !== null);
  if (!kind) return undefined;
  const found = (await lockByIds(writing, [id])).get(id);
  if (!found) return undefined;
  const { definitions, caller } = writing;
  const isSeen = found.groupIds.some((groupId) => {
    const group = definitions.groups.get(groupId);
    return group !== undefined && roleIn(group, caller.userId) !== null;
  });
  // People and companies belong to the workspace; an object is in one group, and seen by those who see the group.
  return kind !== "object" || isSeen ? { kind, uuid: found.uuid, fullName: found.label } : undefined;
}
