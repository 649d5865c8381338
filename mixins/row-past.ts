import { ApiError, notFound, unprocessable } from "../base/contract/errors.ts";
import { custom } from "../base/contract/issues.ts";
import { toId, type Uuid } from "../base/values/ids.ts";
import type { Deletion, Kept } from "../engine/changes/log-reads.ts";
import { type KeptRow, keptRows, restoreRows } from "../engine/changes/restore-rows.ts";
import { seesDeletion } from "../engine/changes/trash.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import { lockEntity } from "../engine/records/lock-entity.ts";
import type { RowTelling } from "../engine/rows/row-events.ts";
import { answeredRow, findRow } from "../engine/rows/rows.ts";
import type { Resource } from "../model/resources/resource.ts";
import type { Past } from "./past-actions.ts";

/** History and return of notes and tasks. docs/guides/history-and-undo.md */
export function rowPast(resource: Resource, { table, shown }: RowTelling, kept: Kept): Past {
  return {
    kind: shown.kind === "note" ? "note" : "task",
    kept,
    async locate(query, viewing, _, uuid) {
      const row = uuid && (await findRow(query, resource, viewing, uuid));
      return row ? { uuid: row.uuid, aliases: [] } : null;
    },
    sees: (viewing, _, { body }) => seesDeletion(viewing, body),
    versionOf: async (writing, deletion) => (await rowOf(writing, deletion)).version,
    async restore(writing, _, deletion) {
      const row = await rowOf(writing, deletion);
      const refusal = resource.access?.refuseChange?.({ uuid: row.id, createdBy: row.created_by }, writing) ?? null;
      if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
      await needEntity(writing, row);
      const [uuid] = await restoreRows(writing, table, [deletion]);
      const back = uuid && (await findRow(writing.query, resource, writing, uuid));
      if (!back) throw notFound(resource.title.toLowerCase(), toId(resource.kind, deletion.recordId));
      return answeredRow(resource, back, writing);
    },
  };
}

async function rowOf(writing: WriteContext, deletion: Deletion): Promise<KeptRow> {
  const row = (await keptRows(writing, [deletion])).get(deletion.recordId as Uuid);
  if (!row) throw new Error("The log has not kept the row of a deletion");
  return row;
}

/** @throws ApiError 422 when the record that a note or a task is about is not there */
async function needEntity(writing: WriteContext, { entity_kind: kind, entity_id: uuid }: KeptRow): Promise<void> {
  const id = toId(kind, uuid);
  if (await lockEntity(writing, id, [kind])) return;
  throw unprocessable([
    custom(["entity", "id"], `The ${kind} with the id ${id} is not there. Restore it, and all about it comes back too`),
  ]);
}
