/** Deliveries that one transaction makes. It takes a fifth of a second then. */
const DELIVERIES_MAX = 2_000;
/** Number of webhooks that cost as much as one delivery when their owners do not see the event. */
const FOUND_PER_DELIVERY = 5;

/** The work on deliveries that one transaction may do. An event that has begun gets all its deliveries. */
export interface Budget {
  /** Whether deliveries of one more event may be made. */
  isLeft(): boolean;
  /** Counts a webhook that was looked at for an event. */
  found(): void;
  /** Counts a delivery, for a webhook that was counted as found. */
  made(): void;
}

/** @param most number of deliveries */
export function createBudget(most = DELIVERIES_MAX): Budget {
  let spent = 0;
  return {
    isLeft: () => spent < most * FOUND_PER_DELIVERY,
    found() {
      spent += 1;
    },
    made() {
      spent += FOUND_PER_DELIVERY - 1;
    },
  };
}
