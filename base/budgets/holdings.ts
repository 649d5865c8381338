import type { Budget } from "./budget.ts";
import { type Closing, whenFirstCloses } from "./closing.ts";
import { type GiveBack, takeOf } from "./take.ts";

/**
 * Parts of budgets that one piece of work holds. They are given back all at once and without a call: when the work ends
 * that they were opened for (`holdWhile`), or when a stream closes (`holdUntilClosed`). So no path can forget it.
 */
export interface Holdings {
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
  holdings: Holdings;
  end(): void;
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

/** Runs work, and gives back what it has taken when it has ended: with a result, with an error, or with a throw before its first wait. */
export async function holdWhile<Result>(work: (holdings: Holdings) => Promise<Result>): Promise<Result> {
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
export function holdUntilClosed(streams: readonly Closing[], budget: Budget, tenant: string, amount: number): void {
  if (streams.some(({ closed }) => closed)) return;
  const { holdings, end } = openHoldings();
  holdings.take(budget, tenant, amount);
  whenFirstCloses(streams, end);
}
