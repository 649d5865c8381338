/** A tenant counts as being here for so long after they have asked for something. */
const HERE_MS = 1000;

/** Knows whether somebody else is here. */
export interface Presence {
  note(tenant: string): void;
  /** Whether others than this tenant have asked for something lately. */
  hasOthers(tenant: string): boolean;
}

/** It keeps the last two who differ: whoever asks is not the other one of them. */
export function createPresence(): Presence {
  let [last, lastAt] = ["", Number.NEGATIVE_INFINITY];
  let [other, otherAt] = ["", Number.NEGATIVE_INFINITY];
  return {
    note(tenant) {
      if (tenant !== last) [other, otherAt, last] = [last, lastAt, tenant];
      lastAt = performance.now();
    },
    hasOthers(tenant) {
      const [someone, at] = tenant === last ? [other, otherAt] : [last, lastAt];
      return someone !== "" && performance.now() - at < HERE_MS;
    },
  };
}
