import type { Uuid } from "../../../base/values/ids.ts";
import type { Due } from "./deliveries.queries.ts";

/** The deliveries of one webhook that this process knows, from when they are read until their results are written. */
export interface PendingDeliveries {
  /** Number of deliveries that have not begun. */
  waiting(): number;
  /** Number of known deliveries, so that a page can have room for as many more. */
  known(): number;
  hasNext(): boolean;
  /**
   * Takes the first one that may begin: of one record there is only one under way.
   * docs/guides/webhook-deliveries.md#order
   */
  next(): Due | undefined;
  /**
   * Its attempt has ended, so the next one of its record may begin. It stays known, because its result is not written
   * yet.
   */
  ended(due: Due): void;
  written(due: Due): void;
  /** The delivery had no attempt, so it is the first again, before later ones of its record. */
  putBack(due: Due): void;
  /**
   * Called when a page is requested. The function that it returns adds the unknown deliveries of the page, in their
   * order.
   */
  asked(): (page: Due[]) => void;
  /** Forgets those that have not begun. */
  clear(): void;
}

export function createPendingDeliveries(): PendingDeliveries {
  let waiting = new Map<Uuid, Due>();
  const begun = new Set<Uuid>();
  const records = new Set<Uuid>();
  // A page that was asked for before a result was written may still show the delivery as due. So those are known until
  // a page comes that was asked for afterwards.
  const justWritten = new Set<Uuid>();

  const first = () => {
    for (const due of waiting.values()) if (!records.has(due.recordId)) return due;
    return undefined;
  };

  return {
    waiting: () => waiting.size,
    known: () => waiting.size + begun.size + justWritten.size,
    hasNext: () => first() !== undefined,
    next() {
      const due = first();
      if (!due) return undefined;
      waiting.delete(due.uuid);
      begun.add(due.uuid);
      records.add(due.recordId);
      return due;
    },
    ended: ({ recordId }) => void records.delete(recordId),
    written({ uuid }) {
      begun.delete(uuid);
      justWritten.add(uuid);
    },
    putBack(due) {
      begun.delete(due.uuid);
      records.delete(due.recordId);
      waiting = new Map([[due.uuid, due], ...waiting]);
    },
    asked() {
      const writtenBefore = [...justWritten];
      return (page) => {
        for (const uuid of writtenBefore) justWritten.delete(uuid);
        for (const due of page)
          if (!begun.has(due.uuid) && !justWritten.has(due.uuid)) waiting.set(due.uuid, waiting.get(due.uuid) ?? due);
      };
    },
    clear: () => waiting.clear(),
  };
}
