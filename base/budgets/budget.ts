import type { ApiError } from "../contract/errors.ts";
import { showGauge } from "./gauges.ts";
import { type GiveBack, takers } from "./take.ts";

export interface BudgetOptions {
  /** Name of the bounded thing in the metrics. */
  what: string;
  /** Amount that there is of it. */
  max: number;
  /**
   * Amount that one tenant may hold. The rest is for others, whatever this one does. "no more than is left" divides the
   * budget among any number of tenants: one may hold a half, each of two a third, and a newcomer always finds some.
   */
  ofOneMax: number | "no more than is left";
  /**
   * Error for a tenant that finds too little left. It is made once, because making an error with its stack costs as
   * much as sending it.
   */
  refusal: ApiError;
}

/**
 * A thing of which there is a bounded amount: places, bytes. Tenants share it, the workspaces of the callers; the empty
 * text is a caller that is not known yet. Code takes it by `Holdings` (holdings.ts) and no other way.
 */
export interface Budget {
  /** Whether this tenant would be refused an amount, by default 1. */
  isFull(tenant: string, amount?: number): boolean;
  /**
   * Refuses an amount to this tenant if it could not be taken now.
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
