import { custom, type Issue } from "../../base/contract/issues.ts";
import { uuidOf } from "../../base/values/ids.ts";
import { searchVector } from "../../base/values/words.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { Entity } from "../../model/resources/entity.ts";
import { notes } from "../../model/resources/notes.ts";
import type { WriteContext } from "../records/draft.ts";
import type { About } from "../rows/about.ts";
import { findRow, type OtherColumns } from "../rows/rows.ts";

/** The columns that a write of a note sets beside those of its fields. docs/guides/notes.md#threads */
export async function judgeNote(
  writing: WriteContext,
  sent: RequestBody,
  { entity, current }: About,
  issues: Issue[],
): Promise<OtherColumns> {
  const parent = current ? {} : await parentOf(writing, sent, entity, issues);
  const { content } = sent;
  return { ...parent, ...(typeof content === "string" && { search: searchVector(content) }) };
}

/**
 * The column of the note that a new note replies to. It has to be a note that the caller sees, about the same record,
 * and no reply itself. It is locked, so that it is still there when the reply is written. docs/guides/notes.md#threads
 */
async function parentOf(
  writing: WriteContext,
  { parentNote }: RequestBody,
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
      ? "A reply cannot have replies: name the note at the start of the thread"
      : entity && parent.entityId !== entity.uuid
        ? "A reply is about the same record as the note it replies to"
        : null;
  if (fault !== null) issues.push(custom(["parentNote", "id"], fault));
  return { parent_id: uuid };
}
