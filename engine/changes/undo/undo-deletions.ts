import type { RecordKind } from "../../../base/values/ids.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import type { RecordRow } from "../../records/select.ts";
import { locateRecord } from "../located.ts";
import { type Deletion, lastDeletions } from "../log-reads.ts";
import { restoreRecords } from "../restore-records.ts";
import { takenNames } from "../taken-names.ts";
import { isRefused } from "./undo-creates.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { Reason, Undoing } from "./undoing.ts";

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
  const wanted = await Promise.all(deleted.map((entry) => restorable(undoing, kind, entry, last.get(entry.recordId))));
  const deletions = wanted.flatMap((deletion) => deletion ?? []);
  const taken = await takenNames(
    writing,
    resource,
    deletions.map(({ more }) => more.gone.row ?? {}),
  );
  for (const [i, { recordId }] of deletions.entries()) if (taken[i]) undoing.skip(kind, recordId, "nameTaken");
  const free = deletions.filter((_, i) => !taken[i]);
  if (free.length > 0) await restoreRecords(writing, resource, free, kept);
  for (const { recordId } of free) undoing.took(kind, recordId);
}

/** The deletion of a record that can come back. Null for a record that is there, or that the undo has skipped. */
async function restorable(
  undoing: Undoing,
  kind: RecordKind,
  entry: UndoEntry,
  deletion: Deletion | undefined,
): Promise<Deletion | null> {
  const { query, caller } = undoing.writing;
  const scope = { entity: kind, homeGroup: null };
  if (await locateRecord(query, caller.workspaceId, RECORD_TYPES[kind], scope, entry.recordId)) return null;
  const reason = deletion ? refusalOf(undoing, kind, entry, deletion) : "gone";
  if (reason) undoing.skip(kind, entry.recordId, reason);
  return reason ? null : (deletion ?? null);
}

/** Why a deletion cannot be taken back by the caller, or not any more; null when it can. */
function refusalOf(undoing: Undoing, kind: RecordKind, { seq }: UndoEntry, deletion: Deletion): Reason | null {
  // The record was there again since, and deleted another time.
  if (deletion.seq !== seq) return "changedSince";
  return isRefused(undoing, kind, deletion.more.gone.row as unknown as RecordRow) ? "noAccess" : null;
}
