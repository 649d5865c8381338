import type { ApiError } from "../contract/errors.ts";
import { type Closing, whenFirstCloses } from "./closing.ts";
import { showGauge } from "./gauges.ts";

export interface BudgetOptions {
  /** Name of the bounded thing in the metrics. */
  what: string;
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
 * text is a caller that is not known yet. `reserveDuring` and `reserveUntilClosed` take it, and nothing else can: so no
 * path forgets to give it back.
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

/** Gives back what was taken. It is called once. */
type GiveBack = () => void;

/** The function of each budget that takes an amount. It is no member, so that only this file can call it. */
const takers = new WeakMap<Budget, (tenant: string, amount: number) => GiveBack>();

/**
 * A budget of which nothing is held. Its metrics are `contact_workspace_held` and `contact_workspace_refused_total`.
 */
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

/**
 * Parts of budgets that one piece of work holds. They are given back all at once and without a call: when the work ends
 * that they were opened for (`reserveDuring`), or when a stream closes (`reserveUntilClosed`). So no path can forget
 * it.
 */
export interface Reservations {
  /**
   * Takes an amount of a budget, for this tenant.
   * @throws ApiError the refusal of the budget, when there is too little left; Error when all is over, and nothing
   * would give it back
   */
  take(budget: Budget, tenant: string, amount?: number): void;
  /**
   * Gives back what is held of a budget while work lasts, and takes it again after it.
   * @throws ApiError the refusal of the budget, when too little is left by then
   */
  without<Result>(budget: Budget, work: () => Promise<Result>): Promise<Result>;
}

/** Amount that was taken at once. */
interface Held {
  budget: Budget;
  tenant: string;
  amount: number;
  giveBack: GiveBack;
}

interface Opened {
  holdings: Reservations;
  end(): void;
}

/** @throws ApiError the refusal of the budget */
function takeOf(budget: Budget, tenant: string, amount: number): GiveBack {
  const take = takers.get(budget);
  if (!take) throw new Error("This is no budget that was made here");
  return take(tenant, amount);
}

function openHoldings(): Opened {
  let held: Held[] = [];
  let isOver = false;

  function take(budget: Budget, tenant: string, amount = 1): void {
    if (isOver) throw new Error("What this was held for is over, and nothing would give it back.");
    held.push({ budget, tenant, amount, giveBack: takeOf(budget, tenant, amount) });
  }

  return {
    holdings: {
      take,
      async without(budget, work) {
        const given = held.filter((one) => one.budget === budget);
        held = held.filter((one) => one.budget !== budget);
        for (const { giveBack } of given) giveBack();
        const result = await work();
        for (const { tenant, amount } of given) take(budget, tenant, amount);
        return result;
      },
    },
    end() {
      isOver = true;
      for (const { giveBack } of held.splice(0)) giveBack();
    },
  };
}

/**
 * Runs work, and gives back what it has taken when it has ended: with a result, with an error, or with a throw before
 * its first wait.
 */
export async function reserveDuring<Result>(work: (holdings: Reservations) => Promise<Result>): Promise<Result> {
  const { holdings, end } = openHoldings();
  try {
    return await work(holdings);
  } finally {
    end();
  }
}

/**
 * Takes an amount of a budget until the first of these streams closes. Nothing is taken when one of them is closed
 * already.
 * @throws ApiError the refusal of the budget
 */
export function reserveUntilClosed(streams: readonly Closing[], budget: Budget, tenant: string, amount: number): void {
  if (streams.some(({ closed }) => closed)) return;
  const { holdings, end } = openHoldings();
  holdings.take(budget, tenant, amount);
  whenFirstCloses(streams, end);
}
