import { custom, type Issue } from "../../../base/contract/issues.ts";
import { uuidOf } from "../../../base/values/ids.ts";
import type { Writing } from "../../../engine/records/draft.ts";
import { findRow, type OtherColumns } from "../../../engine/rows/rows.ts";
import type { Sent } from "../../../model/fields/field.ts";
import type { Entity } from "../../../model/resources/entity.ts";
import { notes } from "../../../model/resources/notes.ts";

/**
 * The column of the note that a new note replies to. It has to be a note that the caller sees, about the same record, and no reply
 * itself. It is locked, so that it is still there when the reply is written. docs/guides/notes.md#threads
 */
export async function parentOf(
  writing: Writing,
  { parentNote }: Sent,
  entity: Entity | undefined,
  issues: Issue[],
): Promise<OtherColumns> {
  if (parentNote === undefined) return { parent_id: null };
  const { id } = parentNote as { id: string };
  const uuid = uuidOf("note", id);
  const parent = uuid && (await findRow(writing.query, notes, writing, uuid, { lock: true }));
  const fault = !parent
    ? `There is no note with the id ${id}`
    : parent.parentId !== null
      ? "A reply has no replies: name the note that it replies to"
      : entity && parent.entityId !== entity.uuid
        ? "A reply is about the record that the note is about to which it replies"
        : null;
  if (fault !== null) issues.push(custom(["parentNote", "id"], fault));
  return { parent_id: uuid };
}
