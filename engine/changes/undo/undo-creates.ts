import type { RecordKind, Uuid } from "../../../base/values/ids.ts";
import { refuseRole } from "../../../model/definitions/roles.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import { removeRows } from "../../records/remove.ts";
import type { RecordRow } from "../../records/select.ts";
import { lockRows } from "../../records/write.ts";
import { changedByOthers } from "./changed-by-others.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { Undoing } from "./undoing.ts";

/**
 * Deletes records that were made, or restored, unless others have changed them since. One that is gone already is what
 * was wanted. docs/guides/history-and-undo.md#undo
 * @param created entries of records of one kind
 */
export async function undoCreates(undoing: Undoing, kind: RecordKind, created: readonly UndoEntry[]): Promise<void> {
  const { writing } = undoing;
  const resource = RECORD_TYPES[kind];
  const others = await changedByOthers(undoing, kind, created);
  const scope = { entity: kind, homeGroup: null };
  const rows = await lockRows(
    writing,
    resource,
    scope,
    created.map(({ recordId }) => recordId),
    { isDeleted: true },
  );
  const gone: RecordRow[] = [];
  for (const { recordId } of created) {
    const row = rows.get(recordId);
    // The id of a merged record leads to another one.
    if (row?.uuid !== recordId) continue;
    if (others.has(recordId)) undoing.skip(kind, recordId, "changedSince");
    else if (isRefused(undoing, kind, row)) undoing.skip(kind, recordId, "noAccess");
    else gone.push(row);
  }
  await removeRows(writing, resource, gone);
  for (const { uuid } of gone) undoing.took(kind, uuid);
}

/** Whether the caller may not delete an object, or not bring it back: contributors of its group may. */
export function isRefused(
  { writing }: Undoing,
  kind: RecordKind,
  { memberships }: Pick<RecordRow, "memberships">,
): boolean {
  if (kind !== "object") return false;
  const group = writing.definitions.groups.get(memberships[0]?.groupId as Uuid);
  return !group || refuseRole(group, writing.caller, "contributor") !== null;
}
