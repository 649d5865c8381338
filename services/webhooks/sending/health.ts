import type { Health } from "./queues.queries.ts";

/** What has become of attempts, as far as it is not written down yet. */
export interface HealthNotes {
  note(hasSucceeded: boolean): void;
  /** Whether an attempt has succeeded that is not written down. */
  hasSucceeded(): boolean;
  /** Gives what there is and forgets it; null when there is nothing. */
  take(): Health | null;
  /** Takes back what could not be written down. What was noted meanwhile came later. */
  giveBack(older: Health): void;
}

export function createHealthNotes(): HealthNotes {
  let noted: Health | null = null;
  return {
    note(hasSucceeded) {
      const before = noted?.hasSucceeded ?? false;
      noted = hasSucceeded ? { hasSucceeded, hasFailed: false } : { hasSucceeded: before, hasFailed: true };
    },
    hasSucceeded: () => noted?.hasSucceeded ?? false,
    take() {
      const taken = noted;
      noted = null;
      return taken;
    },
    giveBack(older) {
      if (noted?.hasSucceeded) return;
      noted = { hasSucceeded: older.hasSucceeded, hasFailed: older.hasFailed || noted !== null };
    },
  };
}
