/** Time for which a tenant counts as being here after a request. */
const HERE_MS = 1000;

/** Knows whether another tenant is here. */
export interface Presence {
  note(tenant: string): void;
  /** Whether others than this tenant have asked for something lately. */
  hasOthers(tenant: string): boolean;
}

/** It keeps the last two different tenants: at least one of them is not the one that asks. */
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
