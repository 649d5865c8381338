import type { RecordKind, Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Changed, Gone, Tie } from "../../../model/log.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import type { RecordRow } from "../../records/select.ts";
import { lockRows } from "../../records/write.ts";
import { type Deletion, ENTRY_COLUMNS } from "../log-reads.ts";
import { restoreRecords } from "../restore-records.ts";
import { takenNames } from "../taken-names.ts";
import { giveBackTies } from "./give-back-ties.ts";
import { moveBack } from "./move-back.ts";
import { isRefused } from "./undo-creates.ts";
import type { UndoEntry } from "./undo-reads.ts";
import { undoUpdates } from "./undo-updates.ts";
import type { Undoing } from "./undoing.ts";

/**
 * Takes a merge back: the merged records are there again under their ids, with their values and with what was about
 * them, as far as the survivor still has it; the survivor loses what it had from them. A record whose name another one
 * has by now stays merged. docs/guides/history-and-undo.md#undo
 * @param changes those of the survivor
 */
export async function undoMerge(
  undoing: Undoing,
  kind: RecordKind,
  { recordId: survivor, seq, more }: UndoEntry,
  changes: readonly Changed[],
): Promise<void> {
  const { writing, kept } = undoing;
  const resource = RECORD_TYPES[kind];
  const scope = { entity: kind, homeGroup: null };
  const row = (await lockRows(writing, resource, scope, [survivor])).get(survivor);
  if (row?.uuid !== survivor) return undoing.skip(kind, survivor, "gone");
  const ids = (more?.merged ?? []).map(({ id }) => id);
  const merges = await mergesInto(writing.query, writing.caller.workspaceId, kind, { survivor, ids, seq });
  const free = await takenAway(undoing, kind, merges);
  if (free.length === 0) return;
  await freeAliases(writing.query, writing.caller.workspaceId, kind, free);
  await restoreRecords(writing, resource, free.map(withoutTies), kept);
  await giveBackTies(
    writing,
    kind,
    survivor,
    free.flatMap(({ more: { gone } }) => gone.ties ?? []),
  );
  await moveBack(writing, kind, survivor, free);
  for (const { recordId } of free) undoing.took(kind, recordId);
  await undoUpdates(undoing, kind, [{ uuid: survivor, changes }]);
}

/** Those merged records that can be there again. It skips the others. */
async function takenAway(undoing: Undoing, kind: RecordKind, merges: readonly Deletion[]): Promise<Deletion[]> {
  const resource = RECORD_TYPES[kind];
  const taken = await takenNames(
    undoing.writing,
    resource,
    merges.map(({ more }) => more.gone.row ?? {}),
  );
  return merges.filter(({ recordId, more }, i) => {
    const refused = isRefused(undoing, kind, more.gone.row as unknown as RecordRow);
    if (taken[i]) undoing.skip(kind, recordId, "nameTaken");
    else if (refused) undoing.skip(kind, recordId, "noAccess");
    return !taken[i] && !refused;
  });
}

/** The ties are given back by the survivor, and not added to lists. */
function withoutTies(deletion: Deletion): Deletion {
  const { ties: _, ...gone }: Gone & { ties?: Tie[] } = deletion.more.gone;
  return { ...deletion, more: { ...deletion.more, gone } };
}

/** The entries of records that this merge has merged into the survivor, and that are merged into it still. */
async function mergesInto(
  query: Query,
  workspaceId: Uuid,
  kind: RecordKind,
  { survivor, ids, seq }: { survivor: Uuid; ids: readonly Uuid[]; seq: string },
): Promise<Deletion[]> {
  const rows = await query<Deletion>(
    `select ${ENTRY_COLUMNS}, e.more from unnest($2::uuid[]) w (id) cross join lateral (
       select * from change_log l where l.workspace_id = $1 and l.record_id = w.id and l.type = $3 and l.seq < $4
       order by l.seq desc limit 1) e
     where e.body ->> 'into' = $5
       and exists (select from ${kind}_aliases a where a.workspace_id = $1 and a.alias_id = e.record_id and a.${kind}_id = $5::uuid)`,
    [workspaceId, printUuids(ids), `${kind}.deleted`, seq, survivor],
  );
  return rows;
}

/** The merged records are no aliases any more, and their own aliases lead to them again. */
async function freeAliases(
  query: Query,
  workspaceId: Uuid,
  kind: RecordKind,
  merges: readonly Deletion[],
): Promise<void> {
  const all = merges.flatMap(({ recordId, more }) => [recordId, ...(more.gone.aliases ?? [])]);
  await query(`delete from ${kind}_aliases where workspace_id = $1 and alias_id = any($2::uuid[])`, [
    workspaceId,
    printUuids(all),
  ]);
}
