import type { Uuid } from "../../../base/values/ids.ts";
import type { Changed } from "../../../model/log.ts";
import type { WriteContext } from "../../records/draft.ts";
import type { Kept } from "../log-reads.ts";

/** Reasons why an undo leaves something as it is. docs/guides/history-and-undo.md#what-is-left-alone */
export const REASONS = ["changedSince", "gone", "nameTaken", "noAccess", "notSupported"] as const;
export type Reason = (typeof REASONS)[number];

/** Kinds of things that an undo tells of. */
export const UNDO_KINDS = [
  "person",
  "company",
  "object",
  "note",
  "task",
  "interaction",
  "group",
  "member",
  "customField",
  "user",
  "key",
  "webhook",
] as const;
export type UndoKind = (typeof UNDO_KINDS)[number];

/** A changed value that an undo leaves alone, with the value that the thing has now. */
export interface LeftChange extends Changed {
  now: unknown;
}

/** A thing of which an undo leaves all or some fields alone. */
export interface Skipped {
  kind: UndoKind;
  uuid: Uuid;
  reason: Reason;
  /** Empty when the whole thing is left alone. */
  changes: LeftChange[];
}

/** An undo at work: its transaction, and the result so far. */
export interface Undoing {
  writing: WriteContext;
  kept: Kept;
  /** The numbers of all entries that are taken back. */
  seqs: readonly string[];
  /** The key that an undo is bound to: all that other keys have written stays. Null for an undo of users. */
  ownKey: Uuid | null;
  /** Notes that something of a thing was taken back. */
  took(kind: UndoKind, uuid: Uuid): void;
  /** Notes that a thing, or some of its fields, stay as they are. The result has a thing once for each reason. */
  skip(kind: UndoKind, uuid: Uuid, reason: Reason, changes?: readonly LeftChange[]): void;
}

/** The result of an undo. */
export interface Undone {
  /** Things of which something was taken back. */
  undone: ReadonlySet<Uuid>;
  /** In the order in which they were met. */
  skipped: readonly Skipped[];
}

/** Begins an undo, and gives the function that ends it. */
export function openUndoing(
  writing: WriteContext,
  kept: Kept,
  seqs: readonly string[],
  ownKey: Uuid | null,
): { undoing: Undoing; result(): Undone } {
  const undone = new Set<Uuid>();
  const skipped = new Map<string, Skipped>();
  const undoing: Undoing = {
    writing,
    kept,
    seqs,
    ownKey,
    took: (_, uuid) => undone.add(uuid),
    skip(kind, uuid, reason, changes = []) {
      const key = `${uuid} ${reason}`;
      const known = skipped.get(key);
      if (known) known.changes.push(...changes);
      else skipped.set(key, { kind, uuid, reason, changes: [...changes] });
    },
  };
  return { undoing, result: () => ({ undone, skipped: [...skipped.values()] }) };
}
