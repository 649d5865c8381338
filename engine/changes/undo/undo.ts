import { RECORD_KINDS, type RecordKind, type Uuid } from "../../../base/values/ids.ts";
import type { Changed } from "../../../model/log.ts";
import { withTexts } from "../../feed/long-texts.ts";
import type { WriteContext } from "../../records/draft.ts";
import type { Kept } from "../log-reads.ts";
import { undoCreates } from "./undo-creates.ts";
import { undoDeletions } from "./undo-deletions.ts";
import { undoInteraction } from "./undo-interactions.ts";
import { undoMerge } from "./undo-merge.ts";
import type { UndoEntry } from "./undo-reads.ts";
import { undoRow } from "./undo-rows.ts";
import { type RecordChanges, undoUpdates } from "./undo-updates.ts";
import { openUndoing, type Undoing, type UndoKind, type Undone } from "./undoing.ts";

/** Number of changes of records that are taken back together. */
const TOGETHER = 100;

/** Things of which an undo tells only that it does not take their changes back. */
const NOT_SUPPORTED: readonly UndoKind[] = ["group", "member", "customField", "user", "key", "webhook"];

/**
 * Takes changes back, in their order, which is newest first. Adds the events. The transaction is the caller's.
 * docs/guides/history-and-undo.md#undo
 * @param seqs the numbers of all changes that are taken back together, if these are the older ones of them
 * @param ownKey the key that the undo is bound to, if other keys of its user count as others
 */
export async function undoChanges(
  writing: WriteContext,
  entries: readonly UndoEntry[],
  kept: Kept,
  { seqs = entries.map(({ seq }) => seq), ownKey = null }: { seqs?: readonly string[]; ownKey?: Uuid | null } = {},
): Promise<Undone> {
  const { undoing, result } = openUndoing(writing, kept, seqs, ownKey);
  // Things that went with a record come back with it and go with it again, and merged records with their survivor.
  const own = entries.filter(({ body }) => !body.via && !body.into);
  for (const run of runsOf(own)) await undoRun(undoing, run);
  return result();
}

/** Changes that can be taken back together: of the same sort, about different things, one behind the other. */
interface Run {
  sort: string;
  entries: UndoEntry[];
}

function runsOf(entries: readonly UndoEntry[]): Run[] {
  const runs: Run[] = [];
  for (const entry of entries) {
    const sort = sortOf(entry);
    const last = runs.at(-1);
    const isTogether =
      last?.sort === sort &&
      ALONE.every((one) => !sort.startsWith(one)) &&
      last.entries.length < TOGETHER &&
      last.entries.every(({ recordId }) => recordId !== entry.recordId);
    if (isTogether) last.entries.push(entry);
    else runs.push({ sort, entries: [entry] });
  }
  return runs;
}

const ALONE = ["merge", "row", "interaction"];

function sortOf({ type, more }: UndoEntry): string {
  const [kind = "", verb = ""] = type.split(".", 2);
  if (NOT_SUPPORTED.includes(kind as UndoKind)) return "unsupported";
  if (kind === "interaction") return "interaction";
  if (!isRecordKind(kind)) return "row";
  if (more?.merged) return `merge ${kind}`;
  return `${verb === "created" || verb === "deleted" ? verb : "updated"} ${kind}`;
}

function isRecordKind(kind: string): kind is RecordKind {
  return (RECORD_KINDS as readonly string[]).includes(kind);
}

async function undoRun(undoing: Undoing, { sort, entries }: Run): Promise<void> {
  const [verb, kind] = sort.split(" ") as [string, RecordKind];
  switch (verb) {
    case "created":
      return undoCreates(undoing, kind, entries);
    case "deleted":
      return undoDeletions(undoing, kind, entries);
    case "updated":
      return undoUpdates(undoing, kind, await changesOf(undoing, entries));
    default:
      for (const entry of entries) await undoOne(undoing, verb, kind, entry);
  }
}

async function undoOne(undoing: Undoing, verb: string, kind: RecordKind, entry: UndoEntry): Promise<void> {
  if (verb === "merge") {
    const [update] = await changesOf(undoing, [entry]);
    return undoMerge(undoing, kind, entry, update?.changes ?? []);
  }
  if (verb === "row") return undoRow(undoing, entry);
  if (verb === "interaction") return undoInteraction(undoing, entry);
  undoing.skip(entry.type.slice(0, entry.type.indexOf(".")) as UndoKind, entry.recordId as Uuid, "notSupported");
}

/** The changes of records, with whole texts, and with the values that went with groups. */
async function changesOf({ writing }: Undoing, entries: readonly UndoEntry[]): Promise<RecordChanges[]> {
  const { workspaceId } = writing.caller;
  const stored = entries.map(({ recordId, body }) => ({ workspaceId, recordId, body }));
  const whole = await withTexts(writing.query, stored, "all");
  return entries.map(({ recordId, more }, i) => ({
    uuid: recordId,
    changes: [
      ...(whole[i]?.body.changes ?? []).filter((change): change is Changed => "before" in change),
      ...(more?.changes ?? []),
    ],
  }));
}
