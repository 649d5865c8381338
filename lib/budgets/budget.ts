import type { ApiError } from "../contract/errors.ts";
import { showGauge } from "./gauges.ts";
import { type GiveBack, takers } from "./take.ts";

export interface BudgetOptions {
  /** What there is a bounded amount of, as the metrics name it. */
  what: string;
  /** How much of it there is. */
  max: number;
  /**
   * How much of it one tenant may hold. What is beyond is for others, whatever this one does. "no more than is left" divides
   * it among however many there are: one tenant may hold a half, each of two a third, and a newcomer always finds some.
   */
  ofOneMax: number | "no more than is left";
  /** What who finds too little left is told. It is made once, since making an error with its stack costs as much as sending it. */
  refusal: ApiError;
}

/**
 * What there is a bounded amount of: places, bytes. Tenants share it, the workspaces of those who ask; the empty text is nobody
 * that is known yet. Who takes of it holds it by `Holdings` (holdings.ts), and no other way.
 */
export interface Budget {
  /** Whether this tenant would be refused so much, 1 unless told otherwise. */
  isFull(tenant: string, amount?: number): boolean;
  /**
   * Refuses so much to this tenant where it could not be taken now.
   * @throws ApiError the refusal of the budget
   */
  check(tenant: string, amount: number): void;
}

/** A budget of which nothing is held. Its metrics are `contact_workspace_held` and `contact_workspace_refused_total`. */
export function createBudget({ what, max, ofOneMax, refusal }: BudgetOptions): Budget {
  const heldBy = new Map<string, number>();
  let held = 0;
  let refused = 0;

  function isFull(tenant: string, amount = 1): boolean {
    const left = max - held - amount;
    if (left < 0 || tenant === "") return left < 0;
    return (heldBy.get(tenant) ?? 0) + amount > (ofOneMax === "no more than is left" ? left : ofOneMax);
  }

  function check(tenant: string, amount: number): void {
    if (!isFull(tenant, amount)) return;
    refused += 1;
    throw refusal;
  }

  function take(tenant: string, amount: number): GiveBack {
    check(tenant, amount);
    held += amount;
    heldBy.set(tenant, (heldBy.get(tenant) ?? 0) + amount);
    return () => {
      held -= amount;
      const left = (heldBy.get(tenant) ?? 0) - amount;
      if (left > 0) heldBy.set(tenant, left);
      else heldBy.delete(tenant);
    };
  }

  showGauge("contact_workspace_held", { what }, () => held);
  showGauge("contact_workspace_refused_total", { what }, () => refused);
  const budget: Budget = { isFull, check };
  takers.set(budget, take);
  return budget;
}
