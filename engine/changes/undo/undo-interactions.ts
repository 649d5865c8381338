import type { Uuid } from "../../../base/values/ids.ts";
import { type Changed, moreText } from "../../../model/log.ts";
import { changed } from "../../events/diff.ts";
import { keepWhole } from "../../events/kept-rows.ts";
import {
  deleteInteraction,
  type LoggedInteraction,
  lockInteraction,
  lockLoggedRow,
  toldPart,
  updateLogged,
} from "../../things/logged-interactions.ts";
import { restoreInteraction } from "../restore-interactions.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { LeftChange, Undoing } from "./undoing.ts";

/** Takes a change of an interaction back. They have neither history nor trash of their own. */
export async function undoInteraction(undoing: Undoing, entry: UndoEntry): Promise<void> {
  const verb = entry.type.slice("interaction.".length);
  const { query, caller } = undoing.writing;
  const isThere = await lockInteraction(query, caller.workspaceId, entry.recordId);
  if (verb === "created" && isThere) await undoMaking(undoing, entry);
  else if (verb === "deleted" && !isThere) await undoDeletion(undoing, entry);
  else if (verb === "updated" && isThere) await undoUpdate(undoing, entry);
  else if (verb === "updated") undoing.skip("interaction", entry.recordId, "gone");
}

async function undoMaking(undoing: Undoing, entry: UndoEntry): Promise<void> {
  const { recordId } = entry;
  if (await isChangedByOthers(undoing, entry)) return undoing.skip("interaction", recordId, "changedSince");
  await deleteInteraction(undoing.writing, recordId);
  undoing.took("interaction", recordId);
}

async function isChangedByOthers(
  { writing: { query, caller }, seqs, ownKey }: Undoing,
  { recordId, seq, userId }: UndoEntry,
): Promise<boolean> {
  const found = await query(
    `select from change_log where workspace_id = $1 and record_id = $2 and seq > $3 and seq <> all($5::bigint[])
       and source <> 'undo' and (user_id <> $4 or ($6::uuid is not null and user_id = $4 and key_id is distinct from $6)) limit 1`,
    [caller.workspaceId, recordId, seq, userId ?? caller.userId, seqs, ownKey],
  );
  return found.length > 0;
}

async function undoUpdate(undoing: Undoing, entry: UndoEntry): Promise<void> {
  if (entry.more?.gone?.rowText) return undoReplacement(undoing, entry, entry.more.gone.rowText);
  const { writing, took, skip } = undoing;
  const { recordId, more } = entry;
  const row = await lockLoggedRow(writing.query, writing.caller.workspaceId, recordId);
  if (!row) return skip("interaction", recordId, "gone");
  const left: LeftChange[] = [];
  const wanted = (more?.changes ?? []).filter((change) => {
    const [name = ""] = change.path;
    const now = toldPart(row[name as keyof LoggedInteraction]);
    if (changed(change.path, now, change.before).length === 0) return false;
    const hasAfter = changed(change.path, now, change.after).length === 0;
    if (!hasAfter) left.push({ ...change, now });
    return hasAfter;
  });
  if (left.length > 0) skip("interaction", recordId, "changedSince", left);
  if (wanted.length === 0) return;
  await updateLogged(writing, row, Object.fromEntries(wanted.map(partBefore)));
  took("interaction", recordId);
}

function partBefore({ path: [name = ""], before }: Changed): [string, unknown] {
  return [name, name === "dateTime" ? new Date(String(before)) : (before ?? "")];
}

/** Puts what an import has replaced in its place again, unless a later one has replaced it too. */
async function undoReplacement(
  { writing, seqs, took, skip }: Undoing,
  { recordId, seq }: UndoEntry,
  textId: Uuid,
): Promise<void> {
  const { query, caller, log } = writing;
  const later = await query(
    `select from change_log where workspace_id = $1 and record_id = $2 and seq > $3 and seq <> all($4::bigint[])
       and source <> 'undo' limit 1`,
    [caller.workspaceId, recordId, seq, seqs],
  );
  if (later.length > 0) return skip("interaction", recordId, "changedSince");
  const rowText = await keepWhole(query, caller.workspaceId, [recordId]);
  const isBack = await restoreInteraction(writing, recordId, textId, true);
  if (!isBack) return skip("interaction", recordId, "gone");
  log.push({ type: "interaction.updated", recordId, body: {}, more: moreText({ gone: { rowText } }) });
  took("interaction", recordId);
}

async function undoDeletion({ writing, took, skip }: Undoing, { recordId, more }: UndoEntry): Promise<void> {
  const textId = more?.gone?.rowText;
  const isBack = textId !== undefined && (await restoreInteraction(writing, recordId, textId, false));
  if (!isBack) return skip("interaction", recordId, "gone");
  writing.log.push({ type: "interaction.created", recordId, body: { details: { restored: true } } });
  took("interaction", recordId);
}
