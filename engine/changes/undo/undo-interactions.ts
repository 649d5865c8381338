import type { Changed } from "../../../model/log.ts";
import { changed } from "../../events/diff.ts";
import {
  deleteLogged,
  type LoggedInteraction,
  lockLoggedRow,
  toldPart,
  updateLogged,
} from "../../things/logged-interactions.ts";
import type { Deletion } from "../log-reads.ts";
import { restoreInteraction } from "../restore-interactions.ts";
import type { UndoEntry } from "./undo-reads.ts";
import type { LeftChange, Undoing } from "./undoing.ts";

/** Takes a change of a logged interaction back. They have neither history nor trash of their own. */
export async function undoInteraction(undoing: Undoing, entry: UndoEntry): Promise<void> {
  const verb = entry.type.slice("interaction.".length);
  if (verb === "created") await undoLogging(undoing, entry);
  else if (verb === "updated") await undoUpdate(undoing, entry);
  else await undoDeletion(undoing, entry);
}

async function undoLogging(
  { writing, seqs, ownKey, took, skip }: Undoing,
  { recordId, seq, userId }: UndoEntry,
): Promise<void> {
  const { query, caller } = writing;
  const row = await lockLoggedRow(query, caller.workspaceId, recordId);
  if (!row) return;
  const [byOthers] = await query(
    `select from change_log where workspace_id = $1 and record_id = $2 and seq > $3 and seq <> all($5::bigint[])
       and (user_id <> $4 or ($6::uuid is not null and user_id = $4 and key_id is distinct from $6)) limit 1`,
    [caller.workspaceId, recordId, seq, userId ?? caller.userId, seqs, ownKey],
  );
  if (byOthers) return skip("interaction", recordId, "changedSince");
  await deleteLogged(writing, row);
  took("interaction", recordId);
}

async function undoUpdate({ writing, took, skip }: Undoing, { recordId, more }: UndoEntry): Promise<void> {
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

async function undoDeletion({ writing, took, skip }: Undoing, entry: UndoEntry): Promise<void> {
  const { recordId, more } = entry;
  if (await lockLoggedRow(writing.query, writing.caller.workspaceId, recordId)) return;
  const isBack = more?.gone ? await restoreInteraction(writing, entry as Deletion) : false;
  if (!isBack) return skip("interaction", recordId, "gone");
  writing.log.push({ type: "interaction.created", recordId, body: { details: { restored: true } } });
  took("interaction", recordId);
}
