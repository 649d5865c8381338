import type { RecordKind } from "../../../base/values/ids.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import type { RecordRow } from "../../records/select.ts";
import { locateRecord } from "../located.ts";
import { type Deletion, lastDeletions } from "../log-reads.ts";
import { restoreRecords } from "../restore-records.ts";
import { takenNames } from "../taken-names.ts";
import { isRefused } from "./undo-creates.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { Undoing } from "./undoing.ts";

/**
 * Brings deleted records back, with what went with them. One that is there again is what was wanted.
 * docs/guides/history-and-undo.md#undo
 * @param deleted entries of records of one kind
 */
export async function undoDeletions(undoing: Undoing, kind: RecordKind, deleted: readonly UndoEntry[]): Promise<void> {
  const { writing, kept } = undoing;
  const { query, caller } = writing;
  const resource = RECORD_TYPES[kind];
  const last = await lastDeletions(
    query,
    caller.workspaceId,
    kind,
    deleted.map(({ recordId }) => recordId),
    kept,
  );
  const wanted: Deletion[] = [];
  for (const { recordId, seq } of deleted) {
    const deletion = last.get(recordId);
    const there = await locateRecord(query, caller.workspaceId, resource, { entity: kind, homeGroup: null }, recordId);
    if (there) continue;
    if (!deletion) undoing.skip(kind, recordId, "gone");
    // It was there again since, and deleted another time.
    else if (deletion.seq !== seq) undoing.skip(kind, recordId, "changedSince");
    else if (isRefused(undoing, kind, deletion.more.gone.row as unknown as RecordRow))
      undoing.skip(kind, recordId, "noAccess");
    else wanted.push(deletion);
  }
  const taken = await takenNames(
    writing,
    resource,
    wanted.map(({ more }) => more.gone.row ?? {}),
  );
  for (const [i, { recordId }] of wanted.entries()) if (taken[i]) undoing.skip(kind, recordId, "nameTaken");
  const free = wanted.filter((_, i) => !taken[i]);
  if (free.length > 0) await restoreRecords(writing, resource, free, kept);
  for (const { recordId } of free) undoing.took(kind, recordId);
}
