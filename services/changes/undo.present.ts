import { toId, type Uuid } from "../../base/values/ids.ts";
import { namesIn, shownValue } from "../../engine/changes/shown-changes.ts";
import type { Reason, Skipped, UndoKind } from "../../engine/changes/undo/undoing.ts";
import type { WriteContext } from "../../engine/records/draft.ts";

/** A thing of which an undo left all or some fields alone, as it is answered. */
export interface ShownSkipped {
  id: string;
  entityType: UndoKind;
  reason: Reason;
  changes: { path: string[]; before: unknown; after: unknown; now: unknown }[];
}

/** The things that an undo left alone, as answers show them. docs/guides/history-and-undo.md#what-is-left-alone */
export async function shownSkipped(writing: WriteContext, skipped: readonly Skipped[]): Promise<ShownSkipped[]> {
  const changes = skipped.flatMap((one) => one.changes);
  const told = changes.flatMap((change) => [change, { ...change, before: change.now }]);
  const names = await namesIn(writing.query, writing, told);
  return skipped.map(({ kind, uuid, reason, changes: left }) => ({
    id: idOf(kind, uuid),
    entityType: kind,
    reason,
    changes: left.map(({ path, before, after, now }) => ({
      path,
      before: names(shownValue(path, before)),
      after: names(shownValue(path, after)),
      now: names(shownValue(path, now ?? null)),
    })),
  }));
}

/** A custom field has no id of its own in answers, and a member has that of the user. */
function idOf(kind: UndoKind, uuid: Uuid): string {
  if (kind === "customField") return toId("option", uuid);
  return toId(kind === "member" ? "user" : kind, uuid);
}
